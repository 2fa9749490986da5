import type { UIMessage } from "ai";

/**
 * One piece of a message: text, reasoning, a tool call with its result, a file. The shape of an AI SDK `UIMessage`
 * part.
 */
export interface SessionMessagePart {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** As in the AI SDK; tool calls and results are parts of an `assistant` message. */
export type SessionMessageRole = "system" | "user" | "assistant";

/**
 * A message as given by callers, structurally compatible with the AI SDK's `UIMessage`. `id` is chosen by the caller
 * and is unique within a session, so that a retried append is harmless.
 */
export interface SessionMessage {
  readonly id: string;
  readonly role: SessionMessageRole;
  readonly parts: readonly SessionMessagePart[];
  readonly createdAt?: Date | undefined;
  readonly metadata?: unknown;
}

/** A message to store. Its parts may also have a type of the caller's own, such as an interface. */
export interface NewMessage extends Omit<SessionMessage, "parts"> {
  readonly parts: readonly (SessionMessagePart | { readonly type: string })[];
}

/** A stored message, always dated. */
export interface StoredMessage extends SessionMessage {
  readonly createdAt: Date;
}

/** A message of a history, with parts typed for the AI SDK's `convertToModelMessages`. */
export type HistoryMessage = StoredMessage & Pick<UIMessage, "parts">;

/** `inserted` is false when the same message was already stored. */
export interface AppendResult {
  readonly inserted: boolean;
  readonly message: StoredMessage;
  /** The parent; `null` for a root. */
  readonly parentId: string | null;
}

/** A message of a list that a path follows: compared by role and parts. Without an id, it gets one when it is stored. */
export type ListedMessage = Omit<SessionMessage, "id"> & { readonly id?: string | undefined };

export interface FollowOptions {
  /** Equal for messages that count as the same. Default: role and parts. */
  readonly keyOf?: ((message: ListedMessage) => string) | undefined;
}

export interface FollowResult {
  /** Ids of the list's messages as stored, in order; without summaries and what stands before them. */
  readonly messageIds: readonly string[];
  /** Messages that this call has stored, in order. */
  readonly appended: readonly AppendResult[];
  /** The active leaf; `null` for an empty list. */
  readonly leafId: string | null;
  /** False when the active path already read as the list. */
  readonly changed: boolean;
}

export interface SteppedBack {
  /** Messages that are no longer on the active path, root-most first. */
  readonly passed: readonly StoredMessage[];
  /** The active leaf; `null` before the first message. */
  readonly leafId: string | null;
}

export interface UpdateOptions {
  /** `"client"` for what a browser sent: metadata that the server writes is left out, or kept as stored. */
  readonly source?: "client" | undefined;
}

export interface AppendOptions extends UpdateOptions {
  /**
   * Moves the active leaf to the new message (default). `"follow"` does so only while its parent is the active leaf,
   * so that background work never moves the reader.
   */
  readonly activate?: boolean | "follow" | undefined;
}

export interface ContinueOptions {
  /** The active leaf on which the caller's decision is based; `null` for an empty path. */
  readonly expectedLeafId: string | null;
}

/** Storage of the documented core may omit times; such a message counts as oldest. */
export function dated(message: SessionMessage): StoredMessage {
  const { createdAt } = message;
  return createdAt ? (message as StoredMessage) : { ...message, createdAt: new Date(0) };
}

export function asHistory(messages: readonly SessionMessage[]): HistoryMessage[] {
  return messages.map(dated) as HistoryMessage[];
}

/** Tool parts have the type `tool-<name>` for static tools, else `dynamic-tool`. */
export function isToolPart(part: SessionMessagePart): boolean {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

const answered: readonly unknown[] = ["output-available", "output-error", "output-denied"];

/** True for a tool call with a result, an error or a refusal. */
export function isAnswered({ state }: SessionMessagePart): boolean {
  return answered.includes(state);
}

/** The tool's name; `""` for other parts. */
export function toolNameOf(part: SessionMessagePart): string {
  if (part.type === "dynamic-tool") return typeof part.toolName === "string" ? part.toolName : "";
  return part.type.startsWith("tool-") ? part.type.slice("tool-".length) : "";
}
