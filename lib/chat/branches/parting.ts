import { MessageNotFoundError, type SessionTreeProvider } from "grove-session";
import type { WindowEntry } from "grove-session/ports";

type Windows = Pick<SessionTreeProvider, "getWindow">;

const entriesAtOnce = 1_000;

/**
 * Newest first; `null` is the path before the first message. @returns the shared message, `null` when they share
 * nothing.
 */
export async function walkApart(
  messages: Windows,
  left: string | null,
  right: string | null,
  { onLeft, onRight }: Record<"onLeft" | "onRight", (entry: WindowEntry) => void>,
): Promise<WindowEntry | null> {
  const [leftPath, rightPath] = [upwards(messages, left), upwards(messages, right)];
  let [ours, theirs] = await Promise.all([leftPath.next(), rightPath.next()]);
  // Paths that share a message have it at the same position.
  while (!ours.done || !theirs.done) {
    const difference = positionOf(ours) - positionOf(theirs);
    if (difference === 0 && ours.value?.message.id === theirs.value?.message.id)
      return ours.value ?? null;
    if (difference >= 0 && !ours.done) {
      onLeft(ours.value);
      ours = await leftPath.next();
    }
    if (difference <= 0 && !theirs.done) {
      onRight(theirs.value);
      theirs = await rightPath.next();
    }
  }
  return null;
}

export async function entriesApart(
  messages: Windows,
  { from, to }: { from: string; to: string | null },
): Promise<WindowEntry[]> {
  const entries: WindowEntry[] = [];
  const onLeft = (entry: WindowEntry) => void entries.push(entry);
  await walkApart(messages, from, to, { onLeft, onRight: () => undefined });
  return entries.reverse();
}

type PathStep = IteratorResult<WindowEntry, undefined>;

function positionOf(step: PathStep): number {
  return step.value?.position ?? 0;
}

async function* upwards(
  messages: Windows,
  leafId: string | null,
): AsyncGenerator<WindowEntry, undefined> {
  if (leafId === null) return;
  let beforePosition: number | undefined;
  let limit = 50;
  while (true) {
    const window = await messages.getWindow({
      ...{ leafId, beforePosition, limit, overlays: false, siblings: false },
    });
    if (window.leafId === null) throw new MessageNotFoundError(leafId);
    yield* window.entries.toReversed();
    if (!window.hasMore) return;
    beforePosition = window.entries[0]?.position;
    limit = entriesAtOnce;
  }
}
