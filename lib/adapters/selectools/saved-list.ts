import type { Session, StoredMessage } from "../../session";
import type { ListedMessage } from "../../session/internal";
import {
  comparisonKey,
  listedMessages,
  type ParsedMessage,
  serializedMessages,
} from "./session-data";

interface Serialized {
  readonly message: StoredMessage;
  readonly keys: readonly string[];
}

/** Stored messages that a list has from some position on; `length` counts entries of the list. */
interface MessageRun {
  readonly from: number;
  readonly to: number;
  readonly length: number;
}

/**
 * Entries equal to a stored message's serialization become that message, since serializations lack files and reasoning.
 */
export async function savedList(
  session: Session,
  messages: readonly ParsedMessage[],
): Promise<ListedMessage[]> {
  const keys = messages.map(comparisonKey);
  const path = await closestPath(session, keys);
  const listed: ListedMessage[] = [];
  const converted = listedMessages(messages);
  let next = 0;
  for (let at = 0; at < keys.length; ) {
    const run = longestRun(path, keys, { from: next, at });
    if (run.length === 0) listed.push(...converted.slice(at, at + 1));
    else next = run.to;
    listed.push(...path.slice(run.from, run.to).map(({ message }) => bodyOf(message)));
    at += Math.max(1, run.length);
  }
  return listed;
}

async function closestPath(session: Session, keys: readonly string[]): Promise<Serialized[]> {
  let path = await readPath(session);
  let run = longestRun(path, keys);
  for (;;) {
    if (run.length === keys.length) return path;
    const last = path[run.to - 1]?.message;
    const branches = last ? await session.tree.getChildren(last.id) : await session.tree.getRoots();
    const branch = branches.map(serialized).find((each) => continues(keys, run.length, each));
    if (!branch) return path;
    const other = await readPath(session, await session.tree.getLeafUnder(branch.message.id));
    const otherRun = longestRun(other, keys);
    if (otherRun.length <= run.length) return path;
    [path, run] = [other, otherRun];
  }
}

async function readPath(session: Session, leafId?: string): Promise<Serialized[]> {
  const path = await session.getLatestMessages(Number.POSITIVE_INFINITY, { leafId });
  return path.map(serialized);
}

function serialized(message: StoredMessage): Serialized {
  return { message, keys: serializedMessages(message).map(comparisonKey) };
}

/** Among equal runs the one from the root wins, else the latest at the list's beginning, as in `follow`. */
function longestRun(
  path: readonly Serialized[],
  keys: readonly string[],
  { from: first, at }: { readonly from: number; readonly at: number } = { from: 0, at: 0 },
): MessageRun {
  let best: MessageRun = { from: first, to: first, length: 0 };
  for (let from = first; from < path.length; from++) {
    const run = runAt(path, keys, { from, at });
    const isLater = at === 0 && best.from > 0 && run.length === best.length;
    if (run.length > best.length || (isLater && run.length > 0)) best = run;
  }
  return best;
}

function runAt(
  path: readonly Serialized[],
  keys: readonly string[],
  { from, at }: { readonly from: number; readonly at: number },
): MessageRun {
  let [to, length] = [from, 0];
  for (let next = path[from]; next && continues(keys, at + length, next); next = path[to]) {
    to++;
    length += next.keys.length;
  }
  return { from, to, length };
}

function continues(keys: readonly string[], at: number, next: Serialized): boolean {
  return next.keys.every((key, index) => key === keys[at + index]);
}

export function bodyOf({ id, role, parts }: StoredMessage): ListedMessage {
  return { id, role, parts };
}
