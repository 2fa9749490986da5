import type { RegisteredBlock } from "@/lib/session/context/context-block";
import { type ContextBlocks, holdsLines } from "@/lib/session/context/context-blocks";
import { keyedProvider } from "@/lib/session/context/read-block";
import type { WriteProvenance } from "@/lib/session/context-provider";
import type { NewProposal } from "@/lib/session/proposals";
import { alreadyThere } from "./already-there";
import { entryToWrite } from "./entry-to-write";
import type { SetContextInput } from "./set-context-input";
import { tellingWhatIsThere } from "./telling-what-is-there";

/** A write a model has asked for, as it can be kept until a person has decided. */
export interface HeldWrite extends Omit<NewProposal, "sessionId" | "messageId"> {
  readonly provenance: WriteProvenance | undefined;
}

export interface HoldOptions {
  readonly provenance?: WriteProvenance | undefined;
  readonly seenVersions?: Map<string, number> | undefined;
  readonly appendsOnce?: boolean | undefined;
  readonly hold: (write: HeldWrite) => Promise<void>;
}

/** Hands on what the model wants to write, unless it could never be written. @returns what the model is told. */
export async function holdWrite(
  blocks: ContextBlocks,
  input: SetContextInput,
  { provenance, seenVersions, appendsOnce = false, hold }: HoldOptions,
): Promise<string> {
  const { label, content, action = "replace" } = input;
  const block = blocks.registered.find((each) => each.label === label);
  const isKeyed = block !== undefined && keyedProvider(block) !== null;
  const target = isKeyed
    ? await entryTarget(blocks, block, input)
    : await textTarget(blocks, input, seenVersions);
  if (appendsOnce && action === "append" && !isKeyed) {
    const present = (await blocks.get(label))?.content ?? "";
    if (holdsLines(present, content)) return alreadyThere(label);
  }
  await hold({ label, ...target, action, content, provenance });
  return `Proposed for ${label}. Nothing is written yet: the person was asked and decides later, so go on without it.`;
}

type Target = Pick<HeldWrite, "key" | "title" | "description" | "baseVersion">;

async function textTarget(
  blocks: ContextBlocks,
  { label, content, action = "replace" }: SetContextInput,
  seenVersions: Map<string, number> | undefined,
): Promise<Target> {
  const expectedVersion = action === "replace" ? seenVersions?.get(label) : undefined;
  const { version } = await tellingWhatIsThere(blocks, seenVersions, () =>
    blocks.preview(label, { action, text: content, expectedVersion }),
  );
  return { key: null, title: null, description: null, baseVersion: version };
}

async function entryTarget(
  blocks: ContextBlocks,
  block: RegisteredBlock,
  input: SetContextInput,
): Promise<Target> {
  const { key, title, content, version } = await entryToWrite(block, input);
  blocks.assertEntryFits(block.label, content);
  const description = input.metadata?.description ?? null;
  return { key, title, description, baseVersion: version };
}
