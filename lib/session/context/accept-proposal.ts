import {
  isEntryProvider,
  isSkillProvider,
  type WriteProvenance,
} from "@/lib/session/context-provider";
import { BlockNotFoundError } from "@/lib/session/errors";
import type { Proposal } from "@/lib/session/proposals";
import type { RegisteredBlock } from "./context-block";
import { type ContextBlocks, joinLines } from "./context-blocks";
import { keyedProvider } from "./read-block";

/** What a person accepts of a proposed write, and on top of which version. */
export interface AcceptOptions {
  /** The whole text as the person has put it right; it is theirs then. Omitted: what the model wrote. */
  readonly content?: string | undefined;
  /**
   * The version the person has seen. Omitted: the one the model had seen, and for a line to add any version at all,
   * since it takes nothing away.
   */
  readonly expectedVersion?: number | undefined;
}

/**
 * Makes the write of a proposal. @returns the version it made, `null` where none are kept.
 *
 * @throws {BlockConflictError} when another version is newest. @throws {SessionError} as other writes do.
 */
export async function writeProposal(
  blocks: ContextBlocks,
  proposal: Proposal,
  accepted: AcceptOptions = {},
): Promise<number | null> {
  const block = blocks.registered.find(({ id }) => id === proposal.blockId);
  if (!block) throw new BlockNotFoundError(proposal.blockId);
  return keyedProvider(block)
    ? writeEntry(blocks, block, proposal, accepted)
    : writeText(blocks, block, proposal, accepted);
}

/** An entry as it is: `""` and the version that deleted it when it is not there, version 0 when it never was. */
export async function readEntry(
  { provider }: RegisteredBlock,
  key: string,
): Promise<{ content: string; version: number | null }> {
  if (isEntryProvider(provider)) {
    const [entry, versions] = await Promise.all([
      provider.entry(key),
      provider.entryVersions(key, { limit: 1 }),
    ]);
    return { content: entry?.content ?? "", version: versions[0]?.version ?? 0 };
  }
  const content = isSkillProvider(provider) ? await provider.load(key) : null;
  return { content: content ?? "", version: null };
}

async function writeText(
  blocks: ContextBlocks,
  { label }: RegisteredBlock,
  proposal: Proposal,
  { content, expectedVersion }: AcceptOptions,
): Promise<number | null> {
  const { action, baseVersion } = proposal;
  const provenance = provenanceOf(proposal, content);
  const isAddition = action === "append" && content === undefined;
  const { version } = isAddition
    ? await blocks.append(label, proposal.content, { provenance, expectedVersion })
    : await blocks.replace(label, content ?? proposal.content, {
        provenance,
        expectedVersion: expectedVersion ?? baseVersion ?? undefined,
      });
  return version ?? null;
}

async function writeEntry(
  blocks: ContextBlocks,
  block: RegisteredBlock,
  proposal: Proposal,
  accepted: AcceptOptions,
): Promise<number | null> {
  const { title, description, action, baseVersion } = proposal;
  const key = proposal.key ?? "";
  const before = await readEntry(block, key);
  const isAddition = action === "append" && accepted.content === undefined;
  const proposed = isAddition ? joinLines(before.content, proposal.content) : proposal.content;
  const seen = accepted.expectedVersion ?? (isAddition ? before.version : baseVersion);
  await blocks.setEntry(
    block.label,
    { key, content: accepted.content ?? proposed, description: description ?? undefined },
    {
      title: title ?? undefined,
      provenance: provenanceOf(proposal, accepted.content),
      expectedVersion: seen ?? undefined,
    },
  );
  return (await readEntry(block, key)).version;
}

/** What the person has put right is theirs; the message it came from is noted all the same. */
function provenanceOf(
  { id, sessionId, messageId }: Proposal,
  content: string | undefined,
): WriteProvenance {
  return {
    author: content === undefined ? "model" : "person",
    sessionId,
    ...(messageId !== null && { messageId }),
    proposalId: id,
  };
}
