import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import type { ModelParameters } from "@/lib/llm";
import type { HistoryTurn, TurnMessage } from "./history-turn";
import { type ItemContent, plainText, programCallPart } from "./items";
import { programError } from "./program-error";
import { chosenTools, offeredByProgram } from "./program-tools";
import { assertAbsent, formatOf, given } from "./response-request";

const block = z.looseObject({ type: z.string() });
const content = z.union([z.string().max(1_000_000), z.array(block)]);
type Content = z.output<typeof content>;
type Block = z.output<typeof block>;

const tool = z.looseObject({
  type: z.string().nullish(),
  name: z.string().optional(),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()).optional(),
  strict: z.boolean().nullish(),
});

const format = z.object({
  type: z.literal("json_schema"),
  schema: z.record(z.string(), z.unknown()),
});

/** Hints about caches and contexts, and unknown fields, are ignored. */
export const countedRequest = z.object({
  model: z.string().min(1).max(200),
  messages: z
    .array(z.object({ role: z.enum(["user", "assistant", "system"]), content }))
    .min(1)
    .max(20_000),
  system: content.nullish(),
  tools: z.array(tool).max(512).nullish(),
  tool_choice: z
    .object({
      type: z.enum(["auto", "any", "tool", "none"]),
      name: z.string().optional(),
      disable_parallel_tool_use: z.boolean().nullish(),
    })
    .nullish(),
  thinking: z
    .object({ type: z.enum(["enabled", "adaptive", "disabled"]), budget_tokens: z.int().nullish() })
    .nullish(),
});

export const messagesRequest = countedRequest.extend({
  max_tokens: z.int().min(1),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  top_k: z.unknown().optional(),
  stop_sequences: z.array(z.string()).max(100).nullish(),
  output_config: z
    .object({
      effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
      format: format.nullish(),
    })
    .nullish(),
  output_format: format.nullish(),
  metadata: z.object({ user_id: z.string().max(1_000).nullish() }).nullish(),
  mcp_servers: z.array(z.unknown()).nullish(),
  container: z.unknown().optional(),
});
export type CountedRequest = z.output<typeof countedRequest>;
export type MessagesRequest = z.output<typeof messagesRequest>;

export function messagesTurn(request: MessagesRequest): HistoryTurn {
  assertAbsent(request, ["top_k", "container"]);
  if ((request.mcp_servers ?? []).length > 0) assertAbsent(request, ["mcp_servers"]);
  return {
    model: request.model,
    settings: settingsOf(request),
    atMost: { maxOutputTokens: request.max_tokens, ...given({ reasoning: effortOf(request) }) },
    instructions: instructionsOf(request),
    messages: request.messages.flatMap((message, index) =>
      turnMessages(message, `messages[${index}]`),
    ),
    store: undefined,
    fields: threadOfUser(request.metadata?.user_id),
    metadata: {},
  };
}

export function showsThoughts({ thinking }: MessagesRequest): boolean {
  return thinking?.type === "enabled" || thinking?.type === "adaptive";
}

function settingsOf(request: MessagesRequest): HistoryTurn["settings"] {
  const { tools, tool_choice: choice, output_config: output, output_format: older } = request;
  const wanted = output?.format ?? older;
  return {
    ...chosenTools(offeredByProgram((tools ?? []).map(toolOf)), choice && choiceOf(choice)),
    format: wanted
      ? formatOf({ ...wanted, name: "output" }, "output_config.format")
      : { type: "text" },
    ...given({
      temperature: request.temperature,
      topP: request.top_p,
      stopSequences: request.stop_sequences?.length ? request.stop_sequences : undefined,
      parallelCalls: choice?.disable_parallel_tool_use ? false : undefined,
    }),
  };
}

/** Tools with a type are run by Anthropic's servers, or known to its models alone. */
function toolOf({
  type,
  input_schema: parameters,
  name,
  description,
  strict,
}: z.output<typeof tool>) {
  if (type && type !== "custom") return { type };
  return { type: "function", name, parameters, ...given({ description, strict }) };
}

function choiceOf({ type, name }: NonNullable<CountedRequest["tool_choice"]>): unknown {
  if (type === "tool") return { type: "function", name };
  return type === "any" ? "required" : type;
}

function effortOf({
  thinking,
  output_config: output,
}: MessagesRequest): ModelParameters["reasoning"] {
  if (output?.effort) return output.effort;
  if (thinking?.type === "adaptive") return "high";
  if (thinking?.type !== "enabled") return undefined;
  const budget = thinking.budget_tokens ?? Number.POSITIVE_INFINITY;
  if (budget < 4_096) return "low";
  return budget < 16_384 ? "medium" : "high";
}

function instructionsOf({ system, messages }: CountedRequest): string[] {
  const later = messages.flatMap(({ role, content }, index) =>
    role === "system" ? [plainText(wordsIn(content), `messages[${index}].content`)] : [],
  );
  return [plainText(wordsIn(system ?? ""), "system"), ...later].filter((text) => text !== "");
}

/** Messages of the system may also change tools, which the list of tools says as well. */
function wordsIn(given: Content): Content {
  if (typeof given === "string") return given;
  return given.filter(({ type }) => type !== "tool_addition" && type !== "tool_removal");
}

function turnMessages(
  { role, content: said }: CountedRequest["messages"][number],
  param: string,
): TurnMessage[] {
  const blocks = typeof said === "string" ? [{ type: "text", text: said }] : said;
  switch (role) {
    case "system":
      return [];
    case "assistant": {
      const parts = blocks.flatMap((each, index) => answerPart(each, `${param}.content[${index}]`));
      return parts.length === 0 ? [] : [{ role, parts, param }];
    }
    case "user": {
      const results = blocks.filter(({ type }) => type === "tool_result");
      const words = blocks.filter(({ type }) => type !== "tool_result");
      return [
        ...results.map((each) => resultOf(each, param)),
        ...(words.length > 0 ? [{ role, content: words.map(entryOf), param }] : []),
      ];
    }
  }
}

const text = z.object({ text: z.string().max(1_000_000) });
const thinking = z.object({ thinking: z.string(), signature: z.string().nullish() });
const redacted = z.object({ data: z.string() });
const call = z.object({
  id: z.string().min(1).max(200),
  name: z.string().min(1),
  input: z.unknown(),
});

function answerPart(given: Block, param: string): SessionMessagePart[] {
  switch (given.type) {
    case "text": {
      const { text: said } = parsed(text, given, param);
      return said === "" ? [] : [{ type: "text", text: said }];
    }
    case "thinking": {
      const { thinking: thought, signature } = parsed(thinking, given, param);
      return [thoughtPart(thought, signature ? { signature } : null)];
    }
    case "redacted_thinking":
      return [thoughtPart("", { redactedData: parsed(redacted, given, param).data })];
    case "tool_use": {
      const { id, name, input } = parsed(call, given, param);
      return [programCallPart(id, { name }, input)];
    }
    default:
      throw notTaken(given, param);
  }
}

/** Claude takes a thought back with the signature that it gave it. */
function thoughtPart(
  thought: string,
  anthropic: Record<string, string> | null,
): SessionMessagePart {
  const signed = anthropic && { providerMetadata: { anthropic } };
  return { type: "reasoning", text: thought, state: "done", ...signed };
}

const result = z.object({
  tool_use_id: z.string().min(1).max(200),
  content: content.nullish(),
  is_error: z.boolean().nullish(),
});

function resultOf(given: Block, param: string): TurnMessage {
  const { tool_use_id: callId, content: said, is_error: isError } = parsed(result, given, param);
  const words = typeof said === "string" ? said : (said ?? []).map(entryOf);
  return { role: "tool", callId, content: words, param, ...(isError && { isError }) };
}

const source = z.union([
  z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  z.object({ type: z.literal("text"), data: z.string() }),
  z.object({ type: z.literal("url"), url: z.string() }),
  z.object({ type: z.literal("file"), file_id: z.string() }),
]);
const withSource = z.object({ source, title: z.string().nullish() });
const document = z.object({
  source: z.object({ type: z.literal("content"), content }),
});
const found = z.object({ title: z.string(), source: z.string(), content: z.array(text) });
const reference = z.object({ tool_name: z.string() });

function entryOf(given: Block): Exclude<ItemContent, string>[number] {
  const { type } = given;
  if (type === "search_result") return textEntry(searchText(found.safeParse(given).data));
  if (type === "tool_reference") return textEntry(reference.safeParse(given).data?.tool_name ?? "");
  if (type !== "image" && type !== "document") return given;
  const inside = document.safeParse(given).data;
  if (inside) return textEntry(plainText(inside.source.content, "document"));
  const { data } = withSource.safeParse(given);
  if (data?.source.type === "text") return textEntry(data.source.data);
  return type === "image"
    ? { type: "input_image", image_url: addressOf(data), file_id: fileOf(data) }
    : {
        type: "input_file",
        filename: data?.title,
        file_data: addressOf(data),
        file_url: addressOf(data),
        file_id: fileOf(data),
      };
}

function textEntry(said: string) {
  return { type: "text", text: said };
}

function searchText(given: z.output<typeof found> | undefined): string {
  if (!given) return "";
  return [given.title, given.source, ...given.content.map((each) => each.text)].join("\n");
}

type WithSource = z.output<typeof withSource> | undefined;

function addressOf(given: WithSource): string | undefined {
  const from = given?.source;
  if (from?.type === "url") return from.url;
  return from?.type === "base64" ? `data:${from.media_type};base64,${from.data}` : undefined;
}

function fileOf(given: WithSource): string | undefined {
  return given?.source.type === "file" ? given.source.file_id : undefined;
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: Block, param: string) {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  throw programError("invalid", `“${param}” is no block of type “${value.type}”.`, param);
}

function notTaken({ type }: Block, param: string): Error {
  return programError("unsupported", `Blocks of type “${type}” are not supported here.`, param);
}

const session = z.object({ session_id: z.string().min(1).max(200) });

/** Claude Code names its session in its user's id, at the end of older ones and in JSON in newer ones. */
function threadOfUser(userId: string | null | undefined): HistoryTurn["fields"] {
  if (!userId) return {};
  const [, named] = /(?:^|_)session_([\w-]{8,200})$/.exec(userId) ?? [];
  const sessionId = named ?? session.safeParse(jsonIn(userId)).data?.session_id;
  return { user: userId, ...(sessionId && { client_metadata: { session_id: sessionId } }) };
}

function jsonIn(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}
