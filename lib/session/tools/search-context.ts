import type { Tool } from "ai";
import type { ContextBlocks } from "../context/context-blocks";
import { answer, labelledInput } from "./tool-input";

export const nothingFound = "No results found.";

export interface SearchContextOptions {
  /** Called with the entries a search returned to the model. */
  readonly onFound?:
    | ((entry: { readonly label: string; readonly key: string }) => void)
    | undefined;
}

export type SearchContextTool = Tool<{ readonly label: string; readonly query: string }, string>;

/** `null` when no block is searchable. */
export function searchContextTool(
  blocks: ContextBlocks,
  { onFound }: SearchContextOptions = {},
): SearchContextTool | null {
  const searchable = blocks.registeredAs("searchable");
  if (searchable.length === 0) return null;
  const labels = searchable.map(({ label }) => label);
  const about = searchable.map(
    ({ label, description }) => `- ${label}: ${description ?? "no description"}`,
  );
  const query = {
    type: "string",
    description: "Words that must all occur; quote a phrase, prefix - to exclude.",
  } as const;
  return {
    description: `Search within a block for what is not in the prompt.\n${about.join("\n")}`,
    inputSchema: labelledInput(labels, { properties: { query }, required: ["query"] }),
    execute: (input) => {
      return answer(async () => {
        const found = await blocks.search(input.label, input.query);
        for (const key of found?.keys ?? []) onFound?.({ label: input.label, key });
        return found?.text || nothingFound;
      });
    },
  };
}
