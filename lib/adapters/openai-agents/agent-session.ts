import { createHash } from "node:crypto";
import type {
  AgentInputItem,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from "@openai/agents";
import { z } from "zod";
import {
  InvalidArgumentError,
  type Session,
  type SessionMessage,
  type WindowEntry,
} from "@/lib/session";
import {
  continuedMessages,
  hasCallOf,
  type ItemMessage,
  itemsFromMessage,
  messagesFromItems,
  shortenedMessage,
} from "./item-messages";
import { toStoredValue, valueKey } from "./stored-value";

/** Notes of the adapter on a message, beside its items. */
const notesSchema = z.object({
  agents: z.object({
    /** Digest of the transaction whose first message this is. */
    transaction: z.string().optional(),
    /** Nothing before this message belongs to the items. */
    startsItems: z.boolean().optional(),
  }),
});
type Notes = z.infer<typeof notesSchema>["agents"];

/** A message of the active path. */
interface Entry {
  readonly parentId: string | null;
  readonly items: readonly AgentInputItem[];
  readonly startsItems: boolean;
  readonly message: SessionMessage;
}

/** The newest part of the active path, root-most first. */
interface Tail {
  readonly leafId: string | null;
  readonly entries: readonly Entry[];
}

/** The place at which items continue when the newest ones are dropped. */
interface Cut {
  readonly afterId: string | null;
  /** A version of a message that is dropped in part. */
  readonly kept: readonly SessionMessage[];
}

const pageSize = 100;

/**
 * A session of the OpenAI Agents SDK, kept as the active path of a `Session`. Pass it as `session` to `run`.
 *
 * Nothing is deleted: items that are taken back, replaced or cleared stay on other branches.
 */
export class AgentSession implements SessionHistoryTransactionAwareSession {
  readonly session: Session;
  readonly #popped: { readonly leafId: string; readonly afterId: string | null }[] = [];

  /** `session` keeps the whole tree: one of a store, not of the documented core. */
  constructor(session: Session) {
    this.session = session;
  }

  async getSessionId(): Promise<string> {
    return this.session.id;
  }

  /** Oldest first; with a limit the newest. A summary is one item. */
  async getItems(limit = Number.POSITIVE_INFINITY): Promise<AgentInputItem[]> {
    if (limit <= 0) return [];
    const items = itemsOf(await this.#tail(limit));
    return items.slice(Math.max(0, items.length - limit));
  }

  /**
   * Appends all items or none. Results of calls in the last message complete it, as a new version of it.
   *
   * @throws {InvalidArgumentError} for items that are not JSON.
   */
  async addItems(items: AgentInputItem[]): Promise<void> {
    const messages = identified(messagesFromItems(items), {});
    for (;;) {
      const tail = await this.#tail(1);
      const last = tail.entries.at(-1);
      if (!last || !hasCallOf(last.message, items[0])) {
        await this.session.appendMessages(messages);
        return;
      }
      const { message, startsItems, parentId: afterId } = last;
      const kept = identified(continuedMessages(message, items), { startsItems });
      if (await this.#continue({ afterId, kept }, [], tail)) return;
    }
  }

  /** Takes back the newest item; concurrent calls take different ones. `restoreItem` brings it back. */
  async popItem(): Promise<AgentInputItem | undefined> {
    for (;;) {
      const tail = await this.#tail(1);
      const item = itemsOf(tail).at(-1);
      if (item === undefined || tail.leafId === null) return undefined;
      const moved = await this.#continue(cut(tail, 1), [], tail);
      if (!moved) continue;
      this.#popped.push({ leafId: tail.leafId, afterId: moved.leafId });
      return item;
    }
  }

  /**
   * Brings back the item that this object's last `popItem` took.
   *
   * @returns false when there is none, or the session has changed since.
   */
  async restoreItem(): Promise<boolean> {
    const popped = this.#popped.pop();
    if (!popped) return false;
    const options = { expectedLeafId: popped.afterId };
    return (await this.session.continueAfter(popped.leafId, [], options)) !== null;
  }

  /** Starts again before the first item. The earlier ones stay in the tree; `session.clearMessages` erases them. */
  async clearSession(): Promise<void> {
    await this.session.stepBack(Number.POSITIVE_INFINITY);
  }

  /** The earlier messages stay readable before the compaction; `getItems` starts with it. */
  async replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    const retained = items.slice(1);
    const messages = identified(messagesFromItems(items), { startsItems: true });
    for (;;) {
      const tail = await this.#tail(retained.length);
      const isRetained = endsWith(itemsOf(tail), retained);
      const place = cut(tail, isRetained ? retained.length : 0);
      if (await this.#continue(place, messages, tail)) return;
    }
  }

  /**
   * Applies a change once: a repetition of the same `operationId` and transaction changes nothing.
   *
   * @throws {InvalidArgumentError} when the id was used for another transaction, or the items do not end with the
   * expected ones; nothing is changed then.
   */
  async applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void> {
    const { operationId, transaction } = args;
    const id = `agents-${digestOf(operationId)}`;
    const digest = digestOf(valueKey(toStoredValue(transaction)));
    const [expected, added] =
      transaction.type === "append_items"
        ? [[], transaction.items]
        : [transaction.expectedSuffix, transaction.replacement];
    const read = messagesFromItems(added);
    // Also a transaction that leaves no items is recorded.
    const written = read.length > 0 ? read : [{ role: "assistant", parts: [] } as const];
    const messages = identified(written, { transaction: digest }, id);
    for (;;) {
      // Read before the check, so that a call which applies it in between is noticed by its leaf.
      const tail = await this.#tail(Math.max(1, expected.length));
      if (await this.#isApplied(id, digest)) return;
      if (!endsWith(itemsOf(tail), expected)) {
        throw new InvalidArgumentError("The history does not end with the items to be replaced.");
      }
      if (await this.#continue(cut(tail, expected.length), messages, tail)) return;
    }
  }

  async #isApplied(id: string, digest: string): Promise<boolean> {
    const first = await this.session.getMessage(id);
    if (!first) return false;
    if (notesOf(first).transaction === digest) return true;
    throw new InvalidArgumentError("The operation was applied with another transaction.");
  }

  /** @returns the new leaf; `null` when the session has changed since it was read. */
  async #continue(
    { afterId, kept }: Cut,
    added: readonly SessionMessage[],
    { leafId }: Tail,
  ): Promise<{ readonly leafId: string | null } | null> {
    const messages = [...kept, ...added];
    const options = { expectedLeafId: leafId };
    const appended = await this.session.continueAfter(afterId, messages, options);
    return appended && { leafId: messages.at(-1)?.id ?? afterId };
  }

  /** Holds at least the newest `count` items, or all. */
  async #tail(count: number): Promise<Tail> {
    const limit = Math.min(pageSize, Math.max(1, count));
    let page = await this.session.getWindow({ limit });
    const { leafId } = page;
    const entries: Entry[] = [];
    for (;;) {
      const read = page.entries.map(entryFrom);
      const start = read.findLastIndex(({ startsItems }) => startsItems);
      entries.unshift(...read.slice(Math.max(0, start)));
      const beforePosition = page.entries[0]?.position;
      const isEnough = start !== -1 || itemsOf({ entries }).length >= count;
      if (isEnough || !page.hasMore || leafId === null || beforePosition === undefined) {
        return { leafId, entries };
      }
      page = await this.session.getWindow({ leafId, beforePosition, limit: pageSize });
    }
  }
}

function entryFrom({ message, parentId }: WindowEntry): Entry {
  const startsItems = notesOf(message).startsItems === true;
  return { message, parentId, startsItems, items: itemsFromMessage(message) };
}

function itemsOf({ entries }: Pick<Tail, "entries">): AgentInputItem[] {
  return entries.flatMap(({ items }) => items);
}

/** Drops the newest `count` items, of those that were read. */
function cut({ leafId, entries }: Tail, count: number): Cut {
  if (count === 0) return { afterId: leafId, kept: [] };
  let left = count;
  for (const { message, items, parentId, startsItems } of entries.toReversed()) {
    if (left < items.length) {
      const kept = [shortenedMessage(message, items.length - left)];
      return { afterId: parentId, kept: identified(kept, { startsItems }) };
    }
    left -= items.length;
    if (left === 0) return { afterId: startsItems ? null : parentId, kept: [] };
  }
  return { afterId: null, kept: [] };
}

function identified(
  messages: readonly ItemMessage[],
  notes: Notes,
  firstId?: string,
): SessionMessage[] {
  return messages.map((message, at) => ({
    ...message,
    id: (at === 0 && firstId) || crypto.randomUUID(),
    ...(at === 0 &&
      hasNotes(notes) && {
        metadata: { ...message.metadata, agents: { ...message.metadata?.agents, ...notes } },
      }),
  }));
}

function hasNotes({ transaction, startsItems }: Notes): boolean {
  return transaction !== undefined || startsItems === true;
}

function endsWith(items: readonly AgentInputItem[], suffix: readonly AgentInputItem[]): boolean {
  if (suffix.length > items.length) return false;
  const end = items.slice(items.length - suffix.length);
  return keyOf(end) === keyOf(suffix);
}

function keyOf(items: readonly AgentInputItem[]): string {
  return valueKey(toStoredValue(items));
}

function notesOf({ metadata }: Pick<SessionMessage, "metadata">): Notes {
  return notesSchema.safeParse(metadata).data?.agents ?? {};
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
