import { createHash } from "node:crypto";
import type {
  AgentInputItem,
  SessionHistoryMutation,
  SessionHistoryRewriteArgs,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransaction,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from "@openai/agents";
import { z } from "zod";
import { InvalidArgumentError, type Session, type SessionMessage } from "../../session";
import type { WindowEntry } from "../../session/ports";
import {
  continuedMessages,
  hasCallOf,
  type ItemMessage,
  itemsFromMessage,
  messagesFromItems,
  shortenedMessage,
} from "./item-messages";
import { toStoredValue, valueKey } from "./stored-value";

const notesSchema = z.object({
  agents: z.object({
    transaction: z.string().optional(),
    /** Earlier messages do not belong to the items. */
    startsItems: z.boolean().optional(),
    /** The first message since the items were cleared, where this one has taken its place. */
    firstId: z.string().optional(),
  }),
});
type AgentNotes = z.infer<typeof notesSchema>["agents"];

interface AgentEntry {
  readonly parentId: string | null;
  readonly items: readonly AgentInputItem[];
  readonly startsItems: boolean;
  readonly message: SessionMessage;
}

interface Tail {
  readonly leafId: string | null;
  readonly entries: readonly AgentEntry[];
}

interface AgentCut {
  readonly afterId: string | null;
  readonly kept: readonly SessionMessage[];
}

const pageSize = 100;

/**
 * An OpenAI Agents SDK session kept as the active path of a `Session`. Items taken back, replaced or cleared stay on
 * other branches.
 */
export class AgentSession
  implements SessionHistoryTransactionAwareSession, SessionHistoryRewriteAwareSession
{
  readonly session: Session;
  readonly #popped: { readonly leafId: string; readonly afterId: string | null }[] = [];

  /** `session` is one of a store, not of the documented core. */
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
   * All items or none. Results of the last message's calls complete it, as a new version.
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

  /** Undoes this object's last `popItem`. @returns false when there is none, or the session has changed since. */
  async restoreItem(): Promise<boolean> {
    const popped = this.#popped.pop();
    if (!popped) return false;
    const options = { expectedLeafId: popped.afterId };
    return (await this.session.tree.continueAfter(popped.leafId, [], options)) !== null;
  }

  /** The earlier items stay in the tree; `session.clearMessages` erases them. */
  async clearSession(): Promise<void> {
    await this.session.tree.stepBack(Number.POSITIVE_INFINITY);
  }

  /** The earlier messages stay readable; `getItems` starts with the compaction. */
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

  /** Replaces function calls that the SDK repaired; later copies of a call are dropped. */
  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    for (;;) {
      const tail = await this.#tail(Number.POSITIVE_INFINITY);
      const items = itemsOf(tail);
      const changed = mutations.reduce(withMutation, items);
      const start = items.findIndex(
        (item, at) => keyOf([item]) !== keyOf(changed.slice(at, at + 1)),
      );
      if (start === -1) return;
      const messages = identified(messagesFromItems(changed.slice(start)), {});
      if (await this.#continue(cut(tail, items.length - start), messages, tail)) return;
    }
  }

  /**
   * Repeating an `operationId` with its transaction changes nothing. @throws {InvalidArgumentError} when the id was
   * used for another transaction, or the items do not end with the expected ones.
   */
  async applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void> {
    const { operationId, transaction } = readTransaction(args);
    const digest = digestOf(valueKey(toStoredValue(transaction)));
    const [expected, added] =
      transaction.type === "append_items"
        ? [[], transaction.items]
        : [transaction.expectedSuffix, transaction.replacement];
    const read = messagesFromItems(added);
    const written = read.length > 0 ? read : [{ role: "assistant", parts: [] } as const];
    for (;;) {
      // Reading the tail before the check reveals a concurrent application by its leaf.
      const tail = await this.#tail(Math.max(1, expected.length));
      const id = await this.#unappliedId(`agents-${digestOf(operationId)}`, digest, tail);
      if (id === null) return;
      if (!endsWith(itemsOf(tail), expected)) {
        throw new InvalidArgumentError("The history does not end with the items to be replaced.");
      }
      const messages = identified(written, { transaction: digest }, id);
      if (await this.#continue(cut(tail, expected.length), messages, tail)) return;
    }
  }

  /** `null` when the transaction was applied since the items were last cleared. */
  async #unappliedId(base: string, digest: string, { leafId }: Tail): Promise<string | null> {
    const current = leafId === null ? null : await this.#firstId(leafId);
    for (let times = 0; ; times++) {
      const id = times === 0 ? base : `${base}-${times}`;
      const first = await this.session.getMessage(id);
      if (!first) return id;
      if (current === null || (await this.#firstId(id)) !== current) continue;
      if (notesOf(first).transaction === digest) return null;
      throw new InvalidArgumentError("The operation was applied with another transaction.");
    }
  }

  async #firstId(leafId: string): Promise<string | null> {
    const { entries } = await this.session.tree.getWindow({
      ...{ leafId, oldest: true, limit: 1 },
      ...{ overlays: false, siblings: false },
    });
    const first = entries[0]?.message;
    return first ? (notesOf(first).firstId ?? first.id) : null;
  }

  /** @returns `null` when the session has changed since it was read. */
  async #continue(
    { afterId, kept }: AgentCut,
    added: readonly SessionMessage[],
    { leafId }: Tail,
  ): Promise<{ readonly leafId: string | null } | null> {
    const [first, ...rest] = [...kept, ...added];
    const isFirst = first !== undefined && afterId === null && leafId !== null;
    const firstId = isFirst ? await this.#firstId(leafId) : null;
    const messages =
      first === undefined ? [] : [firstId === null ? first : noted(first, { firstId }), ...rest];
    const options = { expectedLeafId: leafId };
    const appended = await this.session.tree.continueAfter(afterId, messages, options);
    return appended && { leafId: messages.at(-1)?.id ?? afterId };
  }

  async #tail(count: number): Promise<Tail> {
    const limit = Math.min(pageSize, Math.max(1, count));
    let page = await this.session.tree.getWindow({ limit });
    const { leafId } = page;
    const entries: AgentEntry[] = [];
    for (;;) {
      const read = page.entries.map(entryFrom);
      const start = read.findLastIndex(({ startsItems }) => startsItems);
      entries.unshift(...read.slice(Math.max(0, start)));
      const beforePosition = page.entries[0]?.position;
      const isEnough = start !== -1 || itemsOf({ entries }).length >= count;
      if (isEnough || !page.hasMore || leafId === null || beforePosition === undefined) {
        return { leafId, entries };
      }
      page = await this.session.tree.getWindow({ leafId, beforePosition, limit: pageSize });
    }
  }
}

function entryFrom({ message, parentId }: WindowEntry): AgentEntry {
  const startsItems = notesOf(message).startsItems === true;
  return { message, parentId, startsItems, items: itemsFromMessage(message) };
}

function itemsOf({ entries }: Pick<Tail, "entries">): AgentInputItem[] {
  return entries.flatMap(({ items }) => items);
}

function cut({ leafId, entries }: Tail, count: number): AgentCut {
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
  notes: AgentNotes,
  firstId?: string,
): SessionMessage[] {
  return messages.map((message, at) => {
    const id = (at === 0 && firstId) || crypto.randomUUID();
    return at === 0 && hasNotes(notes) ? noted({ ...message, id }, notes) : { ...message, id };
  });
}

function noted(message: SessionMessage, notes: AgentNotes): SessionMessage {
  const metadata = recordIn(message.metadata);
  return {
    ...message,
    metadata: { ...metadata, agents: { ...recordIn(metadata.agents), ...notes } },
  };
}

function recordIn(value: unknown): Record<string, unknown> {
  return z.record(z.string(), z.unknown()).safeParse(value).data ?? {};
}

function hasNotes({ transaction, startsItems }: AgentNotes): boolean {
  return transaction !== undefined || startsItems === true;
}

const itemsSchema = z.array(
  z.custom<AgentInputItem>((item) => recordSchema.safeParse(item).success),
);
const recordSchema = z.record(z.string(), z.unknown());
const transactionSchema = z.object({
  operationId: z.string().refine((id) => id.trim() !== ""),
  transaction: z.discriminatedUnion("type", [
    z.strictObject({ type: z.literal("append_items"), items: itemsSchema }),
    z.strictObject({
      type: z.literal("replace_suffix"),
      expectedSuffix: itemsSchema,
      replacement: itemsSchema,
    }),
  ]),
});

function readTransaction(args: unknown): {
  readonly operationId: string;
  readonly transaction: SessionHistoryTransaction;
} {
  try {
    return transactionSchema.parse(args);
  } catch (cause) {
    throw new InvalidArgumentError(
      "A transaction needs an operationId that is not blank, a known type, lists of items, and nothing else.",
      { cause },
    );
  }
}

function withMutation(
  items: readonly AgentInputItem[],
  { callId, replacement }: SessionHistoryMutation,
): AgentInputItem[] {
  const isCall = (item: AgentInputItem) => item.type === "function_call" && item.callId === callId;
  const first = items.findIndex(isCall);
  return items.flatMap((item, at) => {
    if (at === first) return [replacement];
    return isCall(item) ? [] : [item];
  });
}

function endsWith(items: readonly AgentInputItem[], suffix: readonly AgentInputItem[]): boolean {
  if (suffix.length > items.length) return false;
  const end = items.slice(items.length - suffix.length);
  return keyOf(end) === keyOf(suffix);
}

function keyOf(items: readonly AgentInputItem[]): string {
  return valueKey(toStoredValue(items));
}

function notesOf({ metadata }: Pick<SessionMessage, "metadata">): AgentNotes {
  return notesSchema.safeParse(metadata).data?.agents ?? {};
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
