import { compactionIdOf } from "../compaction-message";
import { MessageNotFoundError } from "../errors";
import type {
  AppendResult,
  FollowOptions,
  FollowResult,
  ListedMessage,
  SessionMessage,
  StoredMessage,
} from "../message";
import { canonicalJson } from "../stored-body";

/** Its one write is refused when the tree changed since a revision. */
export interface FollowedTree {
  /** Changes with every append and every move of the active leaf; `null` without a session. */
  revision(): Promise<number | null>;
  /** Stored messages from the root to a leaf, or the newest of them (default: all), ignoring summaries. */
  path(leafId: string | undefined, newest?: number): Promise<StoredMessage[]>;
  children(messageId: string | null): Promise<StoredMessage[]>;
  leafUnder(messageId: string): Promise<string>;
  /** Ids among `ids` that no new message may have. */
  taken(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** `leafId` is `null` before the first message; returns `null` when the revision is outdated. */
  continueAt(
    leafId: string | null,
    messages: readonly SessionMessage[],
    revision: number | null,
  ): Promise<AppendResult[] | null>;
}

export async function followIn(
  tree: FollowedTree,
  messages: readonly ListedMessage[],
  { keyOf = bodyKey }: FollowOptions = {},
): Promise<FollowResult> {
  const list = messages.slice(messages.findLastIndex(isSummary) + 1);
  const sought = { keys: list.map(keyOf), keyOf };
  for (;;) {
    const result = await attempt(tree, list, sought);
    if (result) return result;
  }
}

interface Sought {
  readonly keys: readonly string[];
  readonly keyOf: (message: ListedMessage) => string;
}

async function attempt(
  tree: FollowedTree,
  list: readonly ListedMessage[],
  sought: Sought,
): Promise<FollowResult | null> {
  const revision = await tree.revision();
  // One more than could be shared tells whether the path is longer than the list.
  const newest = await tree.path(undefined, list.length + 1);
  const activeId = newest.at(-1)?.id ?? null;
  try {
    const shared = list.length === 0 ? [] : await sharedIds(tree, newest, sought);
    const leafId = shared.at(-1) ?? null;
    const rest = list.slice(shared.length);
    if (rest.length === 0 && leafId === activeId) {
      return { messageIds: shared, appended: [], leafId, changed: false };
    }
    const appended = await tree.continueAt(leafId, await named(tree, rest), revision);
    if (!appended) return null;
    const messageIds = [...shared, ...appended.map(({ message }) => message.id)];
    return { messageIds, appended, leafId: messageIds.at(-1) ?? null, changed: true };
  } catch (error) {
    if (error instanceof MessageNotFoundError) return null;
    throw error;
  }
}

async function sharedIds(
  tree: FollowedTree,
  newest: readonly StoredMessage[],
  sought: Sought,
): Promise<string[]> {
  const { keys, keyOf } = sought;
  const isWhole = newest.length <= keys.length;
  if (!isWhole && !(await hasRoot(tree, sought))) {
    const end = endRun(newest.map(keyOf), keys);
    if (end > 0)
      return downFrom(
        tree,
        newest.slice(-end).map(({ id }) => id),
        sought,
      );
  }
  const path = isWhole ? newest : await tree.path(undefined);
  const ids = path.map(({ id }) => id);
  const stored = path.map(keyOf);
  const beginning = runLength(stored, keys, 0);
  const shared = await downFrom(tree, ids.slice(0, beginning), sought);
  if (beginning === path.length || shared.length === keys.length) return shared;
  const slid = slidWindow(stored, keys);
  if (slid.length <= shared.length) return shared;
  return downFrom(tree, ids.slice(slid.start, slid.start + slid.length), sought);
}

async function hasRoot(tree: FollowedTree, { keys, keyOf }: Sought): Promise<boolean> {
  return (await tree.children(null)).some((root) => keyOf(root) === keys[0]);
}

async function downFrom(
  tree: FollowedTree,
  ids: readonly string[],
  { keys, keyOf }: Sought,
): Promise<string[]> {
  const found = [...ids];
  while (found.length < keys.length) {
    const children = await tree.children(found.at(-1) ?? null);
    const next = children.find((child) => keyOf(child) === keys[found.length]);
    if (!next) break;
    const path = await tree.path(await tree.leafUnder(next.id));
    const below = path.slice(path.findIndex(({ id }) => id === next.id));
    const length = runLength(below.map(keyOf), keys.slice(found.length), 0);
    found.push(...below.slice(0, Math.max(1, length)).map(({ id }) => id));
  }
  return found;
}

/**
 * The stretch of a path that a list begins with: its end, otherwise the longest, the latest of equals. One message in
 * the middle of both proves nothing, since people often repeat themselves.
 */
function slidWindow(
  path: readonly string[],
  list: readonly string[],
): { readonly start: number; readonly length: number } {
  const end = endRun(path, list);
  if (end > 0) return { start: path.length - end, length: end };
  let longest = { start: 0, length: 0 };
  for (const start of path.keys()) {
    const length = runLength(path, list, start);
    if (length >= Math.max(2, longest.length)) longest = { start, length };
  }
  return longest;
}

function endRun(path: readonly string[], list: readonly string[]): number {
  const first = Math.max(0, path.length - list.length);
  for (let start = first; start < path.length; start++) {
    if (runLength(path, list, start) === path.length - start) return path.length - start;
  }
  return 0;
}

function runLength(path: readonly string[], list: readonly string[], start: number): number {
  let length = 0;
  while (length < list.length && path[start + length] === list[length]) length++;
  return length;
}

async function named(
  tree: FollowedTree,
  messages: readonly ListedMessage[],
): Promise<SessionMessage[]> {
  const wanted = messages.flatMap(({ id }) => id ?? []);
  const taken = new Set(wanted.length === 0 ? [] : await tree.taken(wanted));
  return messages.map((message) => {
    const isFree = message.id !== undefined && !taken.has(message.id);
    const id = isFree && message.id !== undefined ? message.id : crypto.randomUUID();
    taken.add(id);
    return { ...message, id };
  });
}

function bodyKey({ role, parts }: ListedMessage): string {
  return `${role} ${canonicalJson(parts)}`;
}

function isSummary({ id }: ListedMessage): boolean {
  return id !== undefined && compactionIdOf(id) !== null;
}
