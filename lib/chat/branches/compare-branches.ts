import type { OwnerData } from "@/lib/chat/owner-data";
import { entryOf, entryWire, messagesOf } from "@/lib/chat/sessions/transcript";
import type { BranchWire, CompareWire } from "@/lib/chat/wire/branches";
import type { EntryWire } from "@/lib/chat/wire/messages";
import type { WindowEntry } from "@/lib/session";
import { branchMemory } from "./branch-memory";
import { divergence } from "./divergence";

/** Per side; sums cover all messages. */
const usualEntries = 200;

/** @throws {MessageNotFoundError} when either message is not in the session. */
export async function compareBranches(
  owner: OwnerData,
  sessionId: string,
  {
    left,
    right,
    limit = usualEntries,
  }: { left: string; right: string; limit?: number | undefined },
): Promise<CompareWire> {
  const messages = await messagesOf(owner, sessionId);
  const { ancestorId, leftIds, rightIds } = divergence(await messages.getTree(), left, right);
  const side = async (leafId: string, messageCount: number) => {
    const entries = await entriesUpTo(messages, leafId, messageCount);
    return branchWire(owner, { sessionId, leafId, entries: entries.map(entryWire), limit });
  };
  const [ancestor, leftBranch, rightBranch] = await Promise.all([
    ancestorId === null ? null : entryOf(owner, sessionId, ancestorId),
    side(left, leftIds.length),
    side(right, rightIds.length),
  ]);
  return { ancestor, left: leftBranch, right: rightBranch };
}

/** Ignores summaries. */
export async function entriesUpTo(
  messages: Awaited<ReturnType<typeof messagesOf>>,
  leafId: string,
  count: number,
): Promise<readonly WindowEntry[]> {
  if (count === 0) return [];
  return (await messages.getWindow({ leafId, limit: count, overlays: false })).entries;
}

async function branchWire(
  owner: OwnerData,
  {
    sessionId,
    leafId,
    entries,
    limit,
  }: { sessionId: string; leafId: string; entries: EntryWire[]; limit: number },
): Promise<BranchWire> {
  const answers = entries.flatMap(({ message }) => (message.metadata ? [message.metadata] : []));
  const costs = answers.flatMap(({ cost }) => cost ?? []);
  return {
    leafId,
    entries: entries.slice(0, limit),
    messageCount: entries.length,
    inputTokens: sum(answers.map(({ inputTokens }) => inputTokens ?? 0)),
    outputTokens: sum(answers.map(({ outputTokens }) => outputTokens ?? 0)),
    cost: costs.length === 0 ? null : sum(costs),
    models: [...new Set(answers.flatMap(({ model }) => model ?? []))],
    memory: await branchMemory(owner, sessionId, entries),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
