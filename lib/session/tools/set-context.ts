import { type Tool, tool } from "ai";
import { z } from "zod";
import type { ContextBlock, RegisteredBlock } from "@/lib/session/context/context-block";
import type { BlockWrite, ContextBlocks } from "@/lib/session/context/context-blocks";
import { keyedProvider } from "@/lib/session/context/read-block";
import {
  isEntryProvider,
  isSkillProvider,
  isWritableProvider,
  type WriteProvenance,
} from "@/lib/session/context-provider";
import { BlockConflictError, InvalidArgumentError } from "@/lib/session/errors";
import { answer } from "./answer";
import { entryKeyFor } from "./entry-key";
import { labelledSchema } from "./labelled-schema";

export interface SetContextOptions {
  /** Who writes, noted with every version. Default: the model. */
  readonly provenance?: WriteProvenance | undefined;
  readonly onWrite?: ((write: BlockWrite) => void) | undefined;
  /**
   * The versions the model may have seen, by label. A replacement of a newer one is refused, and the model told what the
   * block says now. Kept up to date with what the tool writes.
   */
  readonly seenVersions?: Map<string, number> | undefined;
}

interface SetContextInput {
  readonly label: string;
  readonly content: string;
  readonly action?: "replace" | "append" | undefined;
  readonly metadata?:
    | { readonly title?: string | undefined; readonly description?: string | undefined }
    | undefined;
}

const plainShape = {
  content: z.string().describe("The text to write."),
  action: z
    .enum(["replace", "append"])
    .optional()
    .describe("append adds a line to what is there; replace (default) writes it anew."),
};

const keyedShape = {
  ...plainShape,
  metadata: z
    .object({
      title: z.string().optional().describe("Names the entry; the same title updates it."),
      description: z.string().optional().describe("One line about the entry."),
    })
    .optional()
    .describe("For blocks that hold entries."),
};

/** The tool that writes to blocks; `null` when none is writable. */
export function setContextTool(
  blocks: ContextBlocks,
  options: SetContextOptions = {},
): Tool | null {
  const writable = blocks.registered.filter(({ provider }) => isWritableProvider(provider));
  if (writable.length === 0) return null;
  const shape = writable.some(keyedProvider) ? keyedShape : plainShape;
  const labels = writable.map(({ label }) => label);
  return tool({
    description: `Write to a context block, so that it is remembered.\n${writable.map(describe).join("\n")}`,
    inputSchema: labelledSchema(labels, shape),
    execute: (input: SetContextInput) => answer(() => write(blocks, input, options)),
  });
}

function describe(block: RegisteredBlock): string {
  const kind = keyedProvider(block) ? "entries by metadata.title" : "text";
  return `- ${block.label}: ${block.description ?? "no description"} (${kind})`;
}

async function write(
  blocks: ContextBlocks,
  input: SetContextInput,
  options: SetContextOptions,
): Promise<string> {
  const { label, content, action = "replace" } = input;
  const provenance = options.provenance ?? { author: "model" };
  const registered = blocks.registered.find((block) => block.label === label);
  if (registered && keyedProvider(registered)) {
    const key = await writeEntry(blocks, registered, { ...input, provenance });
    options.onWrite?.({ label, key, action, provenance });
    return `Indexed "${key}" in ${label}.`;
  }
  const written =
    action === "append"
      ? await blocks.append(label, content, { provenance })
      : await replace(blocks, { label, content, provenance }, options.seenVersions);
  if (written.version !== undefined) options.seenVersions?.set(label, written.version);
  options.onWrite?.({ label, action, provenance });
  return `Written to ${label}. Usage: ${usage(written)}`;
}

async function replace(
  blocks: ContextBlocks,
  { label, content, provenance }: { label: string; content: string; provenance: WriteProvenance },
  seenVersions: Map<string, number> | undefined,
): Promise<ContextBlock> {
  const expectedVersion = seenVersions?.get(label);
  try {
    return await blocks.replace(label, content, { provenance, expectedVersion });
  } catch (error) {
    if (!(error instanceof BlockConflictError)) throw error;
    seenVersions?.set(label, error.currentVersion);
    const now = (await blocks.get(label))?.content;
    throw new InvalidArgumentError(
      `Block "${label}" was changed meanwhile, so nothing was written. It now says:\n${now}`,
      { cause: error },
    );
  }
}

async function writeEntry(
  blocks: ContextBlocks,
  { label, provider }: RegisteredBlock,
  input: SetContextInput & { readonly provenance: WriteProvenance },
): Promise<string> {
  const title = input.metadata?.title?.trim();
  if (!title)
    throw new InvalidArgumentError(`Block "${label}" holds entries: give metadata.title.`);
  const known = isEntryProvider(provider) ? await provider.entry(title) : null;
  const key = known ? title : entryKeyFor(title);
  const before = input.action === "append" ? await entryContent(provider, key) : null;
  const content = before ? `${before}\n${input.content}` : input.content;
  const description = input.metadata?.description;
  await blocks.setEntry(
    label,
    { key, content, description },
    { title, provenance: input.provenance },
  );
  return key;
}

async function entryContent(
  provider: RegisteredBlock["provider"],
  key: string,
): Promise<string | null> {
  if (isEntryProvider(provider)) return (await provider.entry(key))?.content ?? null;
  return isSkillProvider(provider) ? provider.load(key) : null;
}

function usage({ tokens, maxTokens }: ContextBlock): string {
  if (maxTokens === undefined) return `${tokens} tokens`;
  return `${Math.round((100 * tokens) / maxTokens)}% (${tokens}/${maxTokens} tokens)`;
}
