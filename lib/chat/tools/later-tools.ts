import { type Tool, type ToolSet, tool } from "ai";
import { isToolPart, type SessionMessage, toolNameOf } from "grove-session";
import { z } from "zod";
import type { OwnerTool } from "@/lib/chat/core/tool-source";
import { type ToolBounds, withinBounds } from "./tool-limit";

export const findTools = "find_tools";

const mostFound = 8;
const mostOfDescription = 300;

interface LaterToolsOptions {
  readonly tools: ToolSet;
  readonly bounds: ToolBounds;
  readonly found: readonly string[];
}

/** All tools would fill the model's context window. */
export class LaterTools {
  readonly tools: ToolSet;
  readonly #all: readonly OwnerTool[];
  readonly #bounds: ToolBounds;
  #found: readonly OwnerTool[];

  constructor(all: readonly OwnerTool[], { tools, bounds, found }: LaterToolsOptions) {
    this.tools = tools;
    this.#all = all;
    this.#bounds = bounds;
    this.#found = all.filter(({ name }) => found.includes(name));
  }

  /** The last found comes first. */
  get found(): readonly string[] {
    return this.#found.map(({ name }) => name);
  }

  search(query: string): Pick<OwnerTool, "name" | "title" | "note" | "origin">[] {
    const ranked = rankedTools(this.#all, query).slice(0, mostFound);
    const now = withinBounds(ranked, this.#bounds);
    const [best] = ranked;
    if (now.length === 0 && best) now.push(best);
    const before = this.#found.filter((each) => !now.includes(each));
    this.#found = [...new Set([...now, ...withinBounds([...now, ...before], this.#bounds)])];
    return now;
  }

  searching(): Tool {
    const servers = Map.groupBy(this.#all, ({ origin }) => origin.name);
    const counts = [...servers].map(([name, tools]) => `${name} (${tools.length})`).join(", ");
    return tool({
      title: "Find tools",
      description: `Finds tools by what they do. These servers have more tools than fit here: ${counts}. Describe in a few words what you need; the tools found can be called in the next step. Search before you say that something cannot be done.`,
      inputSchema: z.object({ query: z.string().describe("What the tool does, in a few words.") }),
      execute: ({ query }) => {
        const found = this.search(query).map(({ name, title, note, origin }) => {
          return { name, title, server: origin.name, description: shortened(note) };
        });
        return found.length > 0
          ? { found }
          : { found, note: "No tool matches these words. Try others." };
      },
    });
  }
}

function shortened(text: string): string {
  return text.length <= mostOfDescription
    ? text
    : `${text.slice(0, mostOfDescription).toWellFormed()}…`;
}

function rankedTools(tools: readonly OwnerTool[], query: string): OwnerTool[] {
  const wanted = [...new Set(wordsOf(query))];
  const fields = tools.map(({ name, title, note, origin }) => [
    wordsOf(name),
    wordsOf(`${title} ${origin.name}`),
    wordsOf(note),
  ]);
  const weights = [3, 2, 1];
  const scores = tools.map(() => 0);
  for (const word of wanted) {
    const found = fields.map((each) => each.findIndex((words) => words.some(isLike(word))));
    const count = Math.max(1, found.filter((at) => at >= 0).length);
    for (const [index, at] of found.entries())
      scores[index] =
        (scores[index] ?? 0) + (weights[at] ?? 0) * Math.log(1 + tools.length / count);
  }
  return tools
    .map((each, index) => ({ each, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ each }) => each);
}

function wordsOf(text: string): string[] {
  const parted = text.normalize("NFKC").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

const leastStem = 4;

/** “issues” is like “issue”, and “creating” like “create”. */
function isLike(wanted: string): (word: string) => boolean {
  const stem = wanted.slice(0, Math.max(leastStem, Math.ceil(wanted.length * 0.7)));
  return (word) => word === wanted || (stem.length >= leastStem && word.startsWith(stem));
}

const searchOutput = z.object({ found: z.array(z.object({ name: z.string() })) });

/** The last called comes first. */
export function namesCalled(messages: readonly SessionMessage[]): string[] {
  const called = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (isToolPart(part) ? (toolNameOf(part) ?? []) : [])),
  );
  return [...new Set(called.toReversed())];
}

/** The last found comes first. */
export function namesFound({ parts }: Pick<SessionMessage, "parts">): string[] {
  const found = parts.flatMap((part) => {
    if (!isToolPart(part) || toolNameOf(part) !== findTools) return [];
    return searchOutput.safeParse(part.output).data?.found.map(({ name }) => name) ?? [];
  });
  return [...new Set(found.toReversed())];
}
