import type { JSONValue, Tool, ToolSet } from "ai";
import type { OwnerData } from "@/lib/chat/owner-data";
import {
  capPart,
  InvalidArgumentError,
  MessageNotFoundError,
  type SessionInfo,
  type SessionMessage,
  type ShortenedOutput,
  shortenToolOutputs,
  type ToolCallRef,
} from "@/lib/session";

/** Says of a tool output whether the person wants the model to get all of it. */
export type SentInFull = (call: ToolCallRef) => boolean;

export interface ModelInput<Message extends SessionMessage> {
  readonly messages: readonly Message[];
  readonly shortened: readonly ShortenedOutput[];
}

/**
 * Makes of a history what a model is given of it. The answer, its receipt, the gauge and compaction all go by this; only
 * tool outputs that are not sent in full are ever shortened, and each one is listed.
 */
export function modelInput<Message extends SessionMessage>(
  history: readonly Message[],
  { sentInFull }: { readonly sentInFull: SentInFull | undefined },
): ModelInput<Message> {
  return shortenToolOutputs(history, { isSentInFull: sentInFull });
}

/** The outputs of a session that are sent in full, as its metadata says. */
export function sentInFullIn({ metadata }: Pick<SessionInfo, "metadata">): SentInFull {
  return (call) => metadata[keyOf(call)] === true;
}

/**
 * Sends an output in full from now on, or no longer.
 *
 * @throws {InvalidArgumentError} when the message has no such tool call.
 */
export async function sendOutputInFull(
  owner: OwnerData,
  { sessionId, value, ...call }: ToolCallRef & { sessionId: string; value: boolean },
): Promise<void> {
  const message = await owner.store.messages(sessionId).getMessage(call.messageId);
  if (!message) throw new MessageNotFoundError(call.messageId);
  if (!message.parts.some(({ toolCallId }) => toolCallId === call.toolCallId))
    throw new InvalidArgumentError("This message has no such tool call.");
  await owner.store.sessions.update(sessionId, { metadata: { [keyOf(call)]: value } });
}

/**
 * The tools with their outputs shortened on the way back to the model, so that an output is the same while its answer is
 * written as in every later request.
 */
export function shortenedTools(tools: ToolSet): ToolSet {
  const shortened = Object.entries(tools).map(([name, tool]): [string, Tool] => {
    const toModelOutput: Tool["toModelOutput"] = ({ toolCallId, input, output }) => {
      const part = { type: `tool-${name}`, toolCallId, input, output, state: "output-available" };
      const given: unknown = capPart(part)?.part.output ?? output;
      return typeof given === "string"
        ? { type: "text", value: given }
        : { type: "json", value: JSON.parse(JSON.stringify(given ?? null)) as JSONValue };
    };
    return [name, { toModelOutput, ...tool } as Tool];
  });
  return Object.fromEntries(shortened);
}

/** The outputs of messages that are too large to be given whole unless the person wants them to be. */
export function largeOutputsIn(messages: readonly SessionMessage[]): readonly ShortenedOutput[] {
  return shortenToolOutputs(messages).shortened;
}

/** A key for each output: keys of metadata merge, so two tabs that change two outputs do not undo each other. */
function keyOf({ messageId, toolCallId }: ToolCallRef): string {
  return `sentInFull ${messageId} ${toolCallId}`;
}
