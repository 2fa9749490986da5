import type { JSONValue, Tool, ToolSet } from "ai";
import {
  InvalidArgumentError,
  isToolPart,
  MessageNotFoundError,
  type SessionInfo,
  type SessionMessage,
  type SessionMessagePart,
  type StoredMessage,
  shortenToolOutputs,
} from "grove-session";
import type { ShortenedOutput, ToolCallRef } from "grove-session/ports";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { withFilesFor, withheldPart } from "@/lib/chat/files/given-files";
import type { FileTaking } from "@/lib/chat/wire/files";

export type SentInFull = (call: ToolCallRef) => boolean;

export interface ShortenedInput<Message extends SessionMessage> {
  readonly messages: readonly Message[];
  readonly shortened: readonly ShortenedOutput[];
}

/** The answer, its receipt, the gauge and compaction share this input. */
export function modelInput<Message extends SessionMessage>(
  history: readonly Message[],
  {
    sentInFull,
    takes,
  }: {
    readonly sentInFull: SentInFull | undefined;
    readonly takes?: FileTaking | undefined;
  },
): ShortenedInput<Message> {
  const local = history.map(withoutAddresses).map(withoutProviderCalls);
  const given = takes ? withFilesFor(local, takes) : local;
  return shortenToolOutputs(given, { isSentInFull: sentInFull });
}

/** Providers refuse a conversation that begins with an answer, as after a deletion. The receipt shows this note. */
export function withQuestionFirst(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  const [first] = messages;
  if (first?.role !== "assistant") return messages;
  return [{ ...noteBeforeAnswer, createdAt: first.createdAt }, ...messages];
}

export const noteBeforeAnswer: SessionMessage = {
  id: "grove_note",
  role: "user",
  parts: [{ type: "text", text: "(The conversation begins with an answer.)" }],
};

/** Some models continue only when asked. The receipt shows this note. */
export const noteToGoOn: SessionMessage = {
  id: "grove_continue",
  role: "user",
  parts: [
    {
      type: "text",
      text: "(Your last answer was cut off. Go on with it exactly where it ends: first repeat its last few words, so that both parts can be joined, then continue. Repeat nothing else, and do not mention the interruption.)",
    },
  ],
};

/** Providers refuse a foreign call, and some take reasoning only with the call that followed. */
function withoutProviderCalls<Message extends SessionMessage>(message: Message): Message {
  if (!message.parts.some(isOfProvider)) return message;
  const parts = message.parts.filter((part) => !isOfProvider(part) && part.type !== "reasoning");
  return { ...message, parts };
}

function isOfProvider(part: SessionMessagePart): boolean {
  return isToolPart(part) && part.providerExecuted === true;
}

/** An imported file may be an address. Fetching it would tell its host what is being read. */
function withoutAddresses<Message extends SessionMessage>(message: Message): Message {
  if (!message.parts.some(isAddress)) return message;
  const parts = message.parts.map((part) => {
    if (!isAddress(part)) return part;
    const name = typeof part.filename === "string" ? part.filename : "File";
    return withheldPart({ name, reason: "it is an address, which Grove does not open" });
  });
  return { ...message, parts };
}

function isAddress({ type, url }: SessionMessagePart): boolean {
  return type === "file" && !(typeof url === "string" && /^(data|grove-file):/i.test(url));
}

export function sentInFullIn({ metadata }: Pick<SessionInfo, "metadata">): SentInFull {
  return (call) => metadata[keyOf(call)] === true;
}

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

export function shortenedTools(tools: ToolSet): ToolSet {
  const shortened = Object.entries(tools).map(([name, tool]): [string, Tool] => {
    const toModelOutput: Tool["toModelOutput"] = ({ toolCallId, input, output }) => {
      const part = { type: `tool-${name}`, toolCallId, input, output, state: "output-available" };
      const message = { id: toolCallId, role: "assistant" as const, parts: [part] };
      const given: unknown = shortenToolOutputs([message]).messages[0]?.parts[0]?.output ?? output;
      return typeof given === "string"
        ? { type: "text", value: given }
        : { type: "json", value: JSON.parse(JSON.stringify(given ?? null)) as JSONValue };
    };
    return [name, { toModelOutput, ...tool } as Tool];
  });
  return Object.fromEntries(shortened);
}

export function largeOutputsIn(messages: readonly SessionMessage[]): readonly ShortenedOutput[] {
  return shortenToolOutputs(messages).shortened;
}

/** Metadata keys merge, so two tabs cannot undo each other's changes. */
function keyOf({ messageId, toolCallId }: ToolCallRef): string {
  return `sentInFull ${messageId} ${toolCallId}`;
}
