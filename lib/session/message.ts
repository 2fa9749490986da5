import type { UIMessage } from "ai";

/** Text, reasoning, a tool call with its result, or a file, shaped like an AI SDK `UIMessage` part. */
export interface SessionMessagePart {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** As in the AI SDK; tool calls and results are parts of an `assistant` message. */
export type SessionMessageRole = "system" | "user" | "assistant";

/**
 * Compatible with the AI SDK's `UIMessage`. The caller chooses its `id`, unique within a session, so that a retried
 * append is harmless.
 */
export interface SessionMessage {
  readonly id: string;
  readonly role: SessionMessageRole;
  readonly parts: readonly SessionMessagePart[];
  readonly createdAt?: Date | undefined;
  readonly metadata?: unknown;
}

/** A message to store; its parts may have a type of the caller's own. */
export interface NewMessage extends Omit<SessionMessage, "parts"> {
  readonly parts: readonly (SessionMessagePart | { readonly type: string })[];
}

export interface StoredMessage extends SessionMessage {
  readonly createdAt: Date;
}

/** Parts are typed for the AI SDK's `convertToModelMessages`. */
export type HistoryMessage = StoredMessage & Pick<UIMessage, "parts">;

/** `inserted` is false when the message was already stored. */
export interface AppendResult {
  readonly inserted: boolean;
  readonly message: StoredMessage;
  readonly parentId: string | null;
}

/** A message of a followed list, compared by role and parts. Without an id, it gets one when stored. */
export type ListedMessage = Omit<SessionMessage, "id"> & { readonly id?: string | undefined };

export interface FollowOptions {
  /** Messages with equal keys are the same. Default: role and parts. */
  readonly keyOf?: ((message: ListedMessage) => string) | undefined;
}

export interface FollowResult {
  /** Ids of the list's messages, without summaries and those before them. */
  readonly messageIds: readonly string[];
  readonly appended: readonly AppendResult[];
  readonly leafId: string | null;
  /** False when the active path already read as the list. */
  readonly changed: boolean;
}

export interface SteppedBack {
  /** Messages no longer on the active path, root-most first. */
  readonly passed: readonly StoredMessage[];
  readonly leafId: string | null;
}

export interface UpdateOptions {
  /** `"client"`: metadata that the server writes is left out, or kept as stored. */
  readonly source?: "client" | undefined;
}

export interface AppendOptions extends UpdateOptions {
  /**
   * `true` (default): the new message becomes the active leaf. `"follow"`: only while its parent is, so that background
   * work never moves the reader.
   */
  readonly activate?: boolean | "follow" | undefined;
}

export interface ContinueOptions {
  /** The active leaf the decision is based on; `null` for an empty path. */
  readonly expectedLeafId: string | null;
}

/** A message without time counts as oldest. */
export function dated(message: SessionMessage): StoredMessage {
  const { createdAt } = message;
  return createdAt ? (message as StoredMessage) : { ...message, createdAt: new Date(0) };
}

export function asHistory(messages: readonly SessionMessage[]): HistoryMessage[] {
  return messages.map(dated) as HistoryMessage[];
}

/** The type is `tool-<name>` for static tools, else `dynamic-tool`. */
export function isToolPart(part: SessionMessagePart): boolean {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

const answered: readonly unknown[] = ["output-available", "output-error", "output-denied"];

/** True with a result, an error or a refusal. */
export function isAnswered({ state }: SessionMessagePart): boolean {
  return answered.includes(state);
}

/** `""` for parts that are no tool's. */
export function toolNameOf(part: SessionMessagePart): string {
  if (part.type === "dynamic-tool") return typeof part.toolName === "string" ? part.toolName : "";
  return part.type.startsWith("tool-") ? part.type.slice("tool-".length) : "";
}
