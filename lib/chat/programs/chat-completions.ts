import type { SessionMessagePart } from "grove-session";
import { z } from "zod";
import { reasoningEffort, verbosity } from "@/lib/chat/answering/program-call";
import type { HistoryTurn, TurnMessage } from "./history-turn";
import { argumentsOf, type ItemContent, plainText, programCallPart } from "./items";
import { chosenTools, offeredByProgram, toolList } from "./program-tools";
import { assertAbsent, formatOf, given, unsupported } from "./response-request";
import { threadFields } from "./thread";

const content = z
  .union([z.string().max(1_000_000), z.array(z.looseObject({ type: z.string() }))])
  .nullish();

const messageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "developer", "user"]), content }),
  z.object({
    role: z.literal("assistant"),
    content,
    function_call: z.unknown().optional(),
    tool_calls: z
      .array(
        z.union([
          z.object({
            id: z.string().min(1).max(200),
            function: z.object({ name: z.string(), arguments: z.string() }),
          }),
          z.object({
            id: z.string().min(1).max(200),
            custom: z.object({ name: z.string(), input: z.string() }),
          }),
        ]),
      )
      .nullish(),
  }),
  z.object({ role: z.literal("tool"), tool_call_id: z.string().min(1).max(200), content }),
]);
type CompletionMessage = z.output<typeof messageSchema>;

const format = z.union([
  z.object({ type: z.enum(["text", "json_object"]) }),
  z.object({
    type: z.literal("json_schema"),
    json_schema: z.object({
      name: z.string(),
      schema: z.record(z.string(), z.unknown()),
      description: z.string().nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

export const completionRequest = z.object({
  model: z.string().min(1).max(200).optional(),
  messages: z.array(messageSchema).min(1).max(20_000),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  tools: toolList,
  tool_choice: z.unknown().optional(),
  response_format: format.nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.int().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  reasoning_effort: reasoningEffort.nullish(),
  verbosity: verbosity.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  n: z.int().nullish(),
  logprobs: z.boolean().nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  modalities: z.array(z.string()).nullish(),
  top_logprobs: z.int().nullish(),
  audio: z.unknown().optional(),
  functions: z.unknown().optional(),
  function_call: z.unknown().optional(),
  moderation: z.unknown().optional(),
  web_search_options: z.unknown().optional(),
  store: z.boolean().nullish(),
  ...threadFields,
});
export type CompletionRequest = z.output<typeof completionRequest>;

export function completionTurn(request: CompletionRequest): HistoryTurn {
  assertSupported(request);
  return {
    model: request.model,
    settings: callSettingsOf(request),
    instructions: request.messages
      .filter(({ role }) => role === "system" || role === "developer")
      .map((message) => plainText(message.content ?? "", "messages")),
    messages: request.messages.flatMap((message, index) =>
      turnMessage(message, `messages[${index}]`),
    ),
    store: request.store,
    fields: request,
    metadata: request.metadata ?? {},
  };
}

function callSettingsOf(request: CompletionRequest) {
  const { response_format: wanted, max_tokens: maxTokens, stop } = request;
  const searches = (request.web_search_options ?? null) !== null;
  const tools = [...(request.tools ?? []), ...(searches ? [{ type: "web_search" }] : [])];
  return {
    ...chosenTools(offeredByProgram(tools), request.tool_choice),
    format: formatOf(
      wanted?.type === "json_schema"
        ? { type: "json_schema", ...wanted.json_schema }
        : (wanted ?? { type: "text" }),
      "response_format",
    ),
    ...given({
      temperature: request.temperature,
      topP: request.top_p,
      maxOutputTokens: request.max_completion_tokens ?? maxTokens,
      frequencyPenalty: request.frequency_penalty,
      presencePenalty: request.presence_penalty,
      seed: request.seed,
      stopSequences: typeof stop === "string" ? [stop] : stop,
      reasoning: request.reasoning_effort,
      parallelCalls: request.parallel_tool_calls,
      verbosity: request.verbosity,
    }),
  };
}

function assertSupported(request: CompletionRequest): void {
  const { n, logprobs, top_logprobs: top, logit_bias: bias, modalities, messages } = request;
  const calls = messages.filter((each) => each.role === "assistant");
  for (const each of [request, ...calls])
    assertAbsent(each, ["functions", "function_call"], " Send “tools” and “tool_calls”.");
  assertAbsent(request, ["audio", "moderation"]);
  if (top) throw unsupported("top_logprobs");
  if (n && n > 1) throw unsupported("n");
  if (logprobs) throw unsupported("logprobs");
  if (bias && Object.keys(bias).length > 0) throw unsupported("logit_bias");
  if (modalities?.some((each) => each !== "text")) throw unsupported("modalities");
}

const image = z.object({ image_url: z.object({ url: z.string() }) });
const file = z.object({ file: z.record(z.string(), z.unknown()) });

function withFileEntries(given: CompletionMessage["content"]): ItemContent {
  if (!Array.isArray(given)) return given ?? "";
  return given.map((entry) => {
    if (entry.type === "image_url") {
      const { data } = image.safeParse(entry);
      return { type: "input_image", image_url: data?.image_url.url };
    }
    if (entry.type === "file") return { type: "input_file", ...file.safeParse(entry).data?.file };
    return entry;
  });
}

function turnMessage(message: CompletionMessage, param: string): TurnMessage[] {
  const content = withFileEntries(message.content);
  switch (message.role) {
    case "system":
    case "developer":
      return [];
    case "user":
      return [{ role: "user", content, param }];
    case "assistant": {
      const text = plainText(content, `${param}.content`);
      const said: SessionMessagePart[] = text === "" ? [] : [{ type: "text", text }];
      const parts = [...said, ...(message.tool_calls ?? []).map(callPart)];
      return [{ role: "assistant", parts, param }];
    }
    case "tool":
      return [{ role: "tool", callId: message.tool_call_id, content, param }];
  }
}

type GivenCall = NonNullable<
  Extract<CompletionMessage, { role: "assistant" }>["tool_calls"]
>[number];

function callPart(call: GivenCall): SessionMessagePart {
  if ("custom" in call) {
    const { name, input } = call.custom;
    return programCallPart(call.id, { name, isCustom: true }, { input });
  }
  const { name, arguments: given } = call.function;
  return programCallPart(call.id, { name }, argumentsOf(given));
}
