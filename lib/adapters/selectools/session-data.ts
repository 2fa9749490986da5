import { z } from "zod";
import { InvalidArgumentError, type SessionMessagePart, type StoredMessage } from "@/lib/session";
import {
  canonicalJson,
  type ListedMessage,
  linearRecords,
  messageFromRecord,
} from "@/lib/session/internal";

const callSchema = z.object({
  name: z.string(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  id: z.string().nullish(),
});

/** A message as selectools serializes it. Other fields are kept as they are. */
export const messageSchema = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string().nullable(),
  tool_calls: z.array(callSchema).nullish(),
  tool_call_id: z.string().nullish(),
});

export type SelectoolsMessage = z.input<typeof messageSchema>;
export type ParsedMessage = z.output<typeof messageSchema>;

/** A session as selectools serializes it. */
export interface SessionData {
  session_id: string;
  messages: SelectoolsMessage[];
  metadata: Record<string, unknown>;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
}

const extraType = "data-selectools";

/** Messages for `Session.follow`; fields that neither text nor tool calls can say are a data part. */
export function listedMessages(messages: readonly ParsedMessage[]): ListedMessage[] {
  const names = new Map<string, string>();
  return messages.map(({ role, content, tool_calls, tool_call_id, ...others }) => {
    const toolCalls = (tool_calls ?? []).map(({ id, name, parameters }) => ({
      id: id ?? `call-${name}`,
      name,
      input: parameters,
    }));
    for (const { id, name } of toolCalls) names.set(id, name);
    const toolCallId = tool_call_id ?? undefined;
    const record = { role, content: content ?? "", toolCalls, toolCallId };
    const toolName = names.get(toolCallId ?? "") ?? null;
    const { id: _, ...message } = messageFromRecord(record, { id: "", toolName });
    return { ...message, parts: [...message.parts, ...extraParts(others)] };
  });
}

/** @throws {InvalidArgumentError} that names the message, if it has another shape. */
export function parsedMessage(message: unknown, index: number): ParsedMessage {
  const { data, error } = messageSchema.safeParse(message);
  if (data) return data;
  const reason = z.prettifyError(error);
  throw new InvalidArgumentError(`messages[${index}] has another shape: ${reason}`, {
    cause: error,
  });
}

function extraParts(fields: Readonly<Record<string, unknown>>): SessionMessagePart[] {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return given.length === 0 ? [] : [{ type: extraType, data: Object.fromEntries(given) }];
}

/** Equal for messages that read the same, whatever the order of their fields and the empty ones they spell out. */
export function comparisonKey({ content, tool_calls, ...others }: ParsedMessage): string {
  const calls = tool_calls?.length ? tool_calls : null;
  const fields = Object.entries({ ...others, content: content ?? "", calls });
  const given = fields.filter(([, value]) => value !== null && value !== undefined);
  return canonicalJson(Object.fromEntries(given));
}

/** A message of another writer may become several. */
export function serializedMessages(message: StoredMessage): ParsedMessage[] {
  const extra = z
    .looseObject({})
    .safeParse(message.parts.find(({ type }) => type === extraType)?.data);
  return linearRecords(message).map(({ role, content, toolCalls, toolCallId }, index) => ({
    role,
    content,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, input }) => ({ name, parameters: input, id })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(index === 0 && extra.success && extra.data),
  }));
}
