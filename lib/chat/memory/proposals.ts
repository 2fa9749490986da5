import {
  BlockNotFoundError,
  isSessionError,
  type Proposal,
  ProposalNotFoundError,
} from "grove-session";
import type { AcceptOptions, ListProposalsOptions } from "grove-session/ports";
import type { z } from "zod";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { memoryModeIn, parametersIn } from "@/lib/chat/core/settings-store";
import { isAboutToWait } from "@/lib/chat/runs/pause";
import { holdsSkills } from "@/lib/chat/sessions/block-kinds";
import { blocksOf } from "@/lib/chat/sessions/blocks";
import { openWith } from "@/lib/chat/sessions/open-session";
import type { acceptProposalRequest, ProposalWire, proposeRequest } from "@/lib/chat/wire/memory";
import { toWire } from "@/lib/chat/wire/wire";
import { Memory } from "./memory";

/** Proposals of a running answer are listed once it waits for them. */
export async function listProposals(
  owner: OwnerData,
  options: ListProposalsOptions,
): Promise<ProposalWire[]> {
  const [proposals, running] = await Promise.all([
    owner.store.proposals.list(options),
    owner.runs.running(),
  ]);
  const early = new Set(running.filter(isAboutToWait).map(({ messageId }) => messageId));
  const listed = proposals.filter(
    ({ status, messageId }) => status !== "open" || messageId === null || !early.has(messageId),
  );
  return Promise.all(listed.map((proposal) => proposalWire(owner, proposal)));
}

export async function readProposal(owner: OwnerData, proposalId: string): Promise<ProposalWire> {
  const proposal = await requireProposal(owner, proposalId);
  const [wire, mayAllowForChat] = await Promise.all([
    proposalWire(owner, proposal),
    isHeldByModeAlone(owner, proposal),
  ]);
  return { ...wire, mayAllowForChat };
}

export async function propose(
  owner: OwnerData,
  request: z.output<typeof proposeRequest>,
): Promise<ProposalWire> {
  const { content, from } = cleanText(request);
  const memory = (await blocksOf(owner, null)).find(({ label }) => label === "memory");
  if (!memory) throw new BlockNotFoundError("memory");
  const open = await owner.store.proposals.list({ status: "open" });
  const same = open.find((each) => each.blockId === memory.id && each.content === content);
  const { version } = await new Memory(owner, null).read(memory.id);
  const proposal =
    same ??
    (await owner.store.proposals.add({
      sessionId: null,
      messageId: null,
      program: from,
      blockId: memory.id,
      key: null,
      title: null,
      description: null,
      action: "append",
      content,
      baseVersion: version,
    }));
  return proposalWire(owner, proposal);
}

export async function acceptProposal(
  owner: OwnerData,
  proposalId: string,
  request: z.output<typeof acceptProposalRequest>,
): Promise<void> {
  const { sessionId } = await requireProposal(owner, proposalId);
  const accepted: AcceptOptions = cleanText(request);
  const session = openWith(owner, sessionId, await blocksOf(owner, sessionId));
  await session.memory.acceptProposal(proposalId, accepted);
}

export async function declineProposal(owner: OwnerData, proposalId: string): Promise<void> {
  await requireProposal(owner, proposalId);
  await owner.store.proposals.decline(proposalId);
}

async function requireProposal(owner: OwnerData, proposalId: string): Promise<Proposal> {
  const proposal = await owner.store.proposals.get(proposalId);
  if (!proposal) throw new ProposalNotFoundError(proposalId);
  return proposal;
}

async function proposalWire(owner: OwnerData, proposal: Proposal): Promise<ProposalWire> {
  const { sessionId, blockId } = proposal;
  const [history, labels] = await Promise.all([
    textHistory(owner, proposal),
    owner.blocks.labels(sessionId, [blockId]),
  ]);
  const currentVersion = history.at(0)?.version ?? 0;
  const seen = seenVersion(proposal, currentVersion);
  const before = textAt(history, seen);
  const after =
    proposal.status === "accepted" ? textAt(history, seen + 1) : withProposal(proposal, before);
  const { description: _, content: __, baseVersion, ...shown } = proposal;
  return {
    ...toWire(shown),
    label: labels.get(blockId) ?? blockId,
    before,
    after,
    currentVersion,
    isChangedSince: proposal.status === "open" && (baseVersion ?? 0) !== currentVersion,
  };
}

/** Skills, and with outside tools any block, are asked about in every mode. */
async function isHeldByModeAlone(
  owner: OwnerData,
  { sessionId, status, blockId }: Proposal,
): Promise<boolean> {
  if (status !== "open" || sessionId === null) return false;
  const [info, blocks] = await Promise.all([
    owner.store.sessions.get(sessionId),
    blocksOf(owner, sessionId),
  ]);
  if (info === null || memoryModeIn(info.metadata) !== "ask") return false;
  const tools = await owner.tools.list({ web: parametersIn(info.metadata).web });
  const isSkill = blocks.some((block) => block.id === blockId && holdsSkills(block));
  return (
    !isSkill && tools.every(({ tool, policy }) => policy === "off" || tool.origin.kind === "grove")
  );
}

function seenVersion({ status, version, baseVersion }: Proposal, currentVersion: number): number {
  if (status === "open") return currentVersion;
  return status === "accepted" && version !== null ? version - 1 : (baseVersion ?? 0);
}

function withProposal({ action, content }: Proposal, before: string): string {
  return action === "append" && before !== "" ? `${before}\n${content}` : content;
}

interface TextVersion {
  readonly version: number;
  readonly content: string | null;
}

async function textHistory(
  owner: OwnerData,
  { blockId, key, sessionId }: Proposal,
): Promise<readonly TextVersion[]> {
  try {
    const place = { blockId, key: key ?? undefined };
    return await new Memory(owner, sessionId).documentVersions(place, 1_000);
  } catch (error) {
    if (isSessionError(error) && error.code === "block-not-found") return [];
    throw error;
  }
}

function textAt(history: readonly TextVersion[], version: number): string {
  return history.find((each) => each.version === version)?.content ?? "";
}
