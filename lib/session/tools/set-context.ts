import { type Tool, tool } from "ai";
import { z } from "zod";
import type { ContextBlock, RegisteredBlock } from "@/lib/session/context/context-block";
import type { BlockWrite, ContextBlocks } from "@/lib/session/context/context-blocks";
import { keyedProvider } from "@/lib/session/context/read-block";
import { isWritableProvider, type WriteProvenance } from "@/lib/session/context-provider";
import { alreadyThere } from "./already-there";
import { answer } from "./answer";
import { entryToWrite } from "./entry-to-write";
import { type HeldWrite, holdWrite } from "./hold-write";
import { labelledSchema } from "./labelled-schema";
import type { SetContextInput } from "./set-context-input";
import { tellingWhatIsThere } from "./telling-what-is-there";

export interface SetContextOptions {
  /** Who writes, noted with every version. Default: the model. */
  readonly provenance?: WriteProvenance | undefined;
  readonly onWrite?: ((write: BlockWrite) => void) | undefined;
  /**
   * The versions the model may have seen, by label. A replacement of a newer one is refused, and the model told what the
   * block says now. Kept up to date with what the tool writes.
   */
  readonly seenVersions?: Map<string, number> | undefined;
  /**
   * Text to append that the block holds already, as whole lines, is not written again, and the model is told so: asked the
   * same question once more it would note the same thing twice. Default `false`.
   */
  readonly appendsOnce?: boolean | undefined;
  /** Keeps what the model wants to write until a person has decided. With it nothing is written. */
  readonly hold?: ((write: HeldWrite) => Promise<void>) | undefined;
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
  if (options.hold) return holdWrite(blocks, input, { ...options, hold: options.hold });
  const registered = blocks.registered.find((block) => block.label === label);
  if (registered && keyedProvider(registered)) {
    const key = await writeEntry(blocks, registered, { ...input, provenance });
    options.onWrite?.({ label, key, action, provenance });
    return `Indexed "${key}" in ${label}.`;
  }
  const written =
    action === "append"
      ? await append(blocks, { label, content, provenance }, options.appendsOnce)
      : await replace(blocks, { label, content, provenance }, options.seenVersions);
  if (!written) return alreadyThere(label);
  if (written.version !== undefined) options.seenVersions?.set(label, written.version);
  options.onWrite?.({ label, action, provenance });
  return `Written to ${label}. Usage: ${usage(written)}`;
}

interface TextWrite {
  readonly label: string;
  readonly content: string;
  readonly provenance: WriteProvenance;
}

/** `null` when it stands there already. */
function append(
  blocks: ContextBlocks,
  { label, content, provenance }: TextWrite,
  isMadeOnce = false,
): Promise<ContextBlock | null> {
  return isMadeOnce
    ? blocks.appendOnce(label, content, { provenance })
    : blocks.append(label, content, { provenance });
}

async function replace(
  blocks: ContextBlocks,
  { label, content, provenance }: TextWrite,
  seenVersions: Map<string, number> | undefined,
): Promise<ContextBlock> {
  const expectedVersion = seenVersions?.get(label);
  return tellingWhatIsThere(blocks, seenVersions, () =>
    blocks.replace(label, content, { provenance, expectedVersion }),
  );
}

async function writeEntry(
  blocks: ContextBlocks,
  block: RegisteredBlock,
  input: SetContextInput & { readonly provenance: WriteProvenance },
): Promise<string> {
  const { key, title, content } = await entryToWrite(block, input);
  const description = input.metadata?.description;
  await blocks.setEntry(
    block.label,
    { key, content, description },
    { title, provenance: input.provenance },
  );
  return key;
}

function usage({ tokens, maxTokens }: ContextBlock): string {
  if (maxTokens === undefined) return `${tokens} tokens`;
  return `${Math.round((100 * tokens) / maxTokens)}% (${tokens}/${maxTokens} tokens)`;
}
