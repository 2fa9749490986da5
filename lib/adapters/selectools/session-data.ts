import { z } from "zod";
import { InvalidArgumentError, type SessionMessagePart, type StoredMessage } from "../../session";
import {
  canonicalJson,
  type ListedMessage,
  linearRecords,
  messageFromRecord,
} from "../../session/internal";

const callSchema = z.object({
  name: z.string(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  id: z.string().nullish(),
});

const messageSchema = z.looseObject({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string().nullable(),
  tool_calls: z.array(callSchema).nullish(),
  tool_call_id: z.string().nullish(),
});

export type SelectoolsMessage = z.input<typeof messageSchema>;
export type ParsedMessage = z.output<typeof messageSchema>;

export interface SessionData {
  session_id: string;
  messages: SelectoolsMessage[];
  metadata: Record<string, unknown>;
  summary?: string | null | undefined;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  updated_at: string;
}

const extraType = "data-selectools";
const extraSchema = z.looseObject({});

/** Ids of calls that had none, and of results without a call. */
const generatedId = /^call-\d+-\d+$/;

/** A data part holds other fields. A result without an id answers the oldest unanswered call. */
export function listedMessages(messages: readonly ParsedMessage[]): ListedMessage[] {
  const given = new Set(
    messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id)),
  );
  const names = new Map<string, string>();
  const unanswered = new Set<string>();
  return messages.map(({ role, content, tool_calls, tool_call_id, ...others }, index) => {
    const freeId = (number: number): string => {
      const id = `call-${index}-${number}`;
      return given.has(id) ? freeId(number + Math.max(1, tool_calls?.length ?? 0)) : id;
    };
    const toolCalls = (tool_calls ?? []).map(({ id, name, parameters }, number) => ({
      id: id ?? freeId(number),
      name,
      input: parameters,
    }));
    for (const { id, name } of toolCalls) {
      names.set(id, name);
      unanswered.add(id);
    }
    const [oldest = freeId(0)] = unanswered;
    const toolCallId = tool_call_id ?? (role === "tool" ? oldest : undefined);
    if (toolCallId !== undefined) unanswered.delete(toolCallId);
    const record = { role, content: content ?? "", toolCalls, toolCallId };
    const toolName = names.get(toolCallId ?? "") ?? null;
    const { id: _, ...message } = messageFromRecord(record, { id: "", toolName });
    const extra = { ...givenFields(others), ...(content === null && { content }) };
    return { ...message, parts: [...message.parts, ...extraParts(extra)] };
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

function givenFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given);
}

function extraParts(data: Readonly<Record<string, unknown>>): SessionMessagePart[] {
  return Object.keys(data).length === 0 ? [] : [{ type: extraType, data }];
}

/** Ignores the order of fields, empty fields and generated ids. */
export function comparisonKey(message: ParsedMessage): string {
  const { content, tool_calls, tool_call_id, ...others } = message;
  const calls = (tool_calls ?? []).map(({ id, ...call }) =>
    givenFields({ ...call, id: ownId(id) }),
  );
  const fields = {
    ...others,
    content: content ?? "",
    calls: calls.length > 0 ? calls : null,
    tool_call_id: ownId(tool_call_id),
  };
  return canonicalJson(givenFields(fields));
}

function ownId(id: string | null | undefined): string | null {
  return id && !generatedId.test(id) ? id : null;
}

/** A message of another writer may become several. */
export function serializedMessages(message: StoredMessage): ParsedMessage[] {
  const part = message.parts.find(({ type }) => type === extraType);
  const { content: savedContent, ...extra } = extraSchema.safeParse(part?.data).data ?? {};
  return linearRecords(message).map(({ role, content, toolCalls, toolCallId }, index) => ({
    role,
    content: index === 0 && content === "" && savedContent === null ? null : content,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ id, name, input }) => ({ name, parameters: input, id })),
    }),
    ...(toolCallId !== undefined && { tool_call_id: toolCallId }),
    ...(index === 0 && extra),
  }));
}
