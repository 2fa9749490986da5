import { MessageNotFoundError, type SessionTreeProvider, type WindowEntry } from "@/lib/session";

type Windows = Pick<SessionTreeProvider, "getWindow">;

/** Keeps each statement short, however long the paths are. */
const entriesAtOnce = 1_000;

/**
 * Walks up two paths from their ends to the last message they share, ignoring summaries, and gives each message of one
 * path alone to its side, newest first. `null` is the path before the first message.
 *
 * Costs what the two sides hold; what they share, and other branches, are not read.
 *
 * @returns the shared message, `null` when they share nothing.
 * @throws {MessageNotFoundError}
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

/** The messages of the path to `from` that are not on the path to `to`, root-most first. @throws as `walkApart` does. */
export async function entriesApart(
  messages: Windows,
  { from, to }: { from: string; to: string | null },
): Promise<WindowEntry[]> {
  const entries: WindowEntry[] = [];
  const onLeft = (entry: WindowEntry) => void entries.push(entry);
  await walkApart(messages, from, to, { onLeft, onRight: () => undefined });
  return entries.reverse();
}

type Step = IteratorResult<WindowEntry, undefined>;

function positionOf(step: Step): number {
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
