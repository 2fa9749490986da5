import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { z } from "zod";

type OnLeftOut = (what: string) => void;

/** One invalid tool or block would cost the whole list or result. */
export function tolerant(transport: Transport, onLeftOut: OnLeftOut): Transport {
  let receive: Transport["onmessage"];
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    get: () => receive,
    set(handler: Transport["onmessage"]) {
      receive = handler && ((message, extra) => handler(repaired(message, onLeftOut), extra));
    },
  });
  return transport;
}

export function repaired<Message extends JSONRPCMessage>(
  message: Message,
  onLeftOut: OnLeftOut,
): Message {
  if (!("result" in message)) return message;
  const { result } = message;
  if ("tools" in result) return { ...message, result: repairedList(result, onLeftOut) };
  const isOfCall = callFields.some((field) => field in result);
  return isOfCall ? { ...message, result: repairedResult(result) } : message;
}

function repairedList(result: Record<string, unknown>, onLeftOut: OnLeftOut) {
  const { tools, nextCursor, ...others } = result;
  const { data: cursor } = z.union([z.string(), z.number()]).safeParse(nextCursor);
  if (!Array.isArray(tools)) onLeftOut("a list of tools that is none");
  return {
    ...others,
    tools: Array.isArray(tools) ? repairedTools(tools, onLeftOut) : [],
    ...(cursor !== undefined && { nextCursor: String(cursor) }),
  };
}

const callFields = ["content", "structuredContent", "toolResult", "isError"];

/** Servers of the first revision send `toolResult`. */
function repairedResult(result: Record<string, unknown>) {
  const { content, structuredContent, toolResult, isError, _meta, ...others } = result;
  const data = structuredContent ?? toolResult;
  const { data: meta } = fields.safeParse(_meta);
  return {
    ...others,
    content: blocksOf(content).map(repairedBlock),
    ...(data !== undefined && data !== null && { structuredContent: fieldsOf(data) }),
    isError: isError === true || isError === "true",
    ...(meta && { _meta: meta }),
  };
}

function blocksOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

function fieldsOf(data: unknown): Record<string, unknown> {
  return fields.safeParse(data).data ?? { value: data };
}

const words = z.string().optional().catch(undefined);
const fields = z.record(z.string(), z.unknown());

const toolSchema = z.object({
  name: z.string().min(1),
  title: words,
  description: words,
  inputSchema: fields.catch({}),
  annotations: z.object({ title: words }).optional().catch(undefined),
});

/** Grove passes an output on even where it breaks its own schema. */
function repairedTools(tools: readonly unknown[], onLeftOut: OnLeftOut): unknown[] {
  const names = new Set<string>();
  return tools.flatMap((entry, index) => {
    const { data } = toolSchema.safeParse(entry);
    if (!data) onLeftOut(`entry ${index + 1}, which has no name`);
    else if (names.has(data.name)) onLeftOut(`a second “${data.name}”`);
    if (!data || names.has(data.name)) return [];
    names.add(data.name);
    const { title, description, annotations, inputSchema, name } = data;
    return [
      {
        name,
        ...(title !== undefined && { title }),
        ...(description !== undefined && { description }),
        ...(annotations?.title !== undefined && { annotations: { title: annotations.title } }),
        inputSchema: objectSchema(inputSchema),
      },
    ];
  });
}

function objectSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const { properties, required, ...others } = schema;
  const { data: known } = fields.safeParse(properties);
  const { data: needed } = z.array(z.string()).safeParse(required);
  const isValid =
    schema.type === "object" &&
    (properties === undefined || known !== undefined) &&
    (required === undefined || needed !== undefined);
  // A tool that the person allowed asks again when its schema changes.
  if (isValid) return schema;
  return {
    ...others,
    type: "object",
    properties: known ?? {},
    ...(needed && { required: needed }),
  };
}

/** Takes the head of a `data:` address and the alphabet of URLs, as some servers write them. */
const base64 = z
  .string()
  .transform((data) => {
    const plain = data.replace(/^data:[^,]{0,200};base64,/, "");
    return /[-_]/.test(plain) ? plain.replaceAll("-", "+").replaceAll("_", "/") : plain;
  })
  .refine(isBase64);

function isBase64(data: string): boolean {
  try {
    atob(data);
    return true;
  } catch {
    return false;
  }
}

const resourceSchema = z.union([
  z.object({ uri: z.string(), text: z.string(), mimeType: words }),
  z.object({ uri: z.string(), blob: base64, mimeType: words }),
]);

const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: base64, mimeType: z.string() }),
  z.object({ type: z.literal("resource"), resource: resourceSchema }),
  z.object({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.string(),
    title: words,
    description: words,
    mimeType: words,
  }),
]);

/** A block of another kind becomes text, so that nothing vanishes unnamed. */
function repairedBlock(block: unknown): unknown {
  const { data } = blockSchema.safeParse(block);
  if (data) return withoutAbsent(data);
  return { type: "text", text: wordsOf(block) };
}

const mostWords = 100_000;

function wordsOf(block: unknown): string {
  if (typeof block === "string") return block;
  const { data } = z.object({ type: z.string().max(60) }).safeParse(block);
  const text = (JSON.stringify(block) ?? "").slice(0, mostWords);
  return data
    ? `[A block of the kind “${data.type}”, which Grove does not know: ${text}]`
    : `[A block without a kind: ${text}]`;
}

function withoutAbsent(value: object): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
      if (part === undefined) return [];
      return [[key, key === "resource" ? withoutAbsent(part as object) : part]];
    }),
  );
}
