import type { UIMessage } from "ai";

/**
 * One piece of a message: text, reasoning, a tool call with its result, a file. The shape of an AI SDK `UIMessage`
 * part.
 */
export interface SessionMessagePart {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Who a message is from, in the AI SDK's words; tool calls and results are parts of an `assistant` message. */
export type SessionMessageRole = "system" | "user" | "assistant";

/**
 * A message as callers give it. Structurally compatible with the AI SDK's `UIMessage`, which can be passed directly.
 *
 * `id` is chosen by the caller and is unique within a session, so that a retried append is harmless.
 */
export interface SessionMessage {
  readonly id: string;
  readonly role: SessionMessageRole;
  readonly parts: readonly SessionMessagePart[];
  readonly createdAt?: Date | undefined;
  readonly metadata?: unknown;
}

/** A message as it comes out of a store: always dated. */
export interface StoredMessage extends SessionMessage {
  readonly createdAt: Date;
}

/**
 * A message of a history. The AI SDK takes its parts for its own: `convertToModelMessages` reads a history as it is.
 */
export type HistoryMessage = StoredMessage & Pick<UIMessage, "parts">;

/** What an append did. `inserted` is false when the same message was already there. */
export interface AppendResult {
  readonly inserted: boolean;
  readonly message: StoredMessage;
  /** The message it hangs under; `null` for a root. */
  readonly parentId: string | null;
}

/** Whether an appended message moves the active leaf. Default: it does. */
export interface AppendOptions {
  /**
   * Whether the new message becomes the active leaf. `"follow"` does so only while its parent is the active leaf, so
   * that work finishing in the background never pulls a reader away.
   */
  readonly activate?: boolean | "follow" | undefined;
}

/** Storage of the documented core may leave times out; such a message is as old as can be. */
export function dated(message: SessionMessage): StoredMessage {
  return { ...message, createdAt: message.createdAt ?? new Date(0) };
}

/** A history as storage gave it, dated and typed as the AI SDK reads it. */
export function asHistory(messages: readonly SessionMessage[]): HistoryMessage[] {
  return messages.map(dated) as HistoryMessage[];
}
