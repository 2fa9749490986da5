import type OpenAI from "openai";
import { z } from "zod";

/**
 * Schemas of the objects and events that Grove sends, following the `openai` package, which OpenAI generates from its
 * published specification. The compiler compares each schema with its type; unknown fields are refused.
 */
const text = z.string();
const count = z.int().min(0);
const itemStatus = z.enum(["in_progress", "completed", "incomplete"]);

const outputText = z.strictObject({
  type: z.literal("output_text"),
  text,
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
}) satisfies z.ZodType<OpenAI.Responses.ResponseOutputText>;

const inputText = z.strictObject({
  type: z.literal("input_text"),
  text,
}) satisfies z.ZodType<OpenAI.Responses.ResponseInputText>;

const inputImage = z.strictObject({
  type: z.literal("input_image"),
  detail: z.literal("auto"),
  file_id: text,
  image_url: z.null(),
}) satisfies z.ZodType<OpenAI.Responses.ResponseInputImage>;

const inputFile = z.strictObject({
  type: z.literal("input_file"),
  file_id: text,
  filename: text,
}) satisfies z.ZodType<OpenAI.Responses.ResponseInputFile>;

const summaryText = z.strictObject({ type: z.literal("summary_text"), text });

const answerItem = z.strictObject({
  id: text.startsWith("msg_"),
  type: z.literal("message"),
  role: z.literal("assistant"),
  status: itemStatus,
  content: z.array(outputText),
}) satisfies z.ZodType<OpenAI.Responses.ResponseOutputMessage>;

const givenItem = z.strictObject({
  id: text.startsWith("msg_"),
  type: z.literal("message"),
  role: z.enum(["user", "system", "developer"]),
  status: itemStatus,
  content: z.array(z.union([inputText, inputImage, inputFile])),
}) satisfies z.ZodType<OpenAI.Responses.ResponseInputMessageItem>;

const reasoningItem = z.strictObject({
  id: text.startsWith("rs_"),
  type: z.literal("reasoning"),
  summary: z.array(summaryText),
  encrypted_content: text.exactOptional(),
}) satisfies z.ZodType<OpenAI.Responses.ResponseReasoningItem>;

const callItem = z.strictObject({
  id: text.startsWith("fc_"),
  type: z.literal("function_call"),
  call_id: text.min(1),
  name: text,
  namespace: text.exactOptional(),
  arguments: text,
  status: itemStatus,
}) satisfies z.ZodType<OpenAI.Responses.ResponseFunctionToolCallItem>;

const customCallItem = z.strictObject({
  id: text.startsWith("ctc_"),
  type: z.literal("custom_tool_call"),
  call_id: text.min(1),
  name: text,
  namespace: text.exactOptional(),
  input: text,
  status: itemStatus,
}) satisfies z.ZodType<OpenAI.Responses.ResponseCustomToolCallItem>;

const customResultItem = z.strictObject({
  id: text.startsWith("ctco_"),
  type: z.literal("custom_tool_call_output"),
  call_id: text.min(1),
  output: text,
  status: itemStatus,
}) satisfies z.ZodType<OpenAI.Responses.ResponseCustomToolCallOutputItem>;

const resultItem = z.strictObject({
  id: text.startsWith("fco_"),
  type: z.literal("function_call_output"),
  call_id: text.min(1),
  output: text,
  status: itemStatus,
}) satisfies z.ZodType<OpenAI.Responses.ResponseFunctionToolCallOutputItem>;

const runItem = z.strictObject({
  id: text.startsWith("mcp_"),
  type: z.literal("mcp_call"),
  server_label: text,
  name: text,
  arguments: text,
  status: z.enum([...itemStatus.options, "calling", "failed"]),
  output: text.nullable(),
  error: z
    .strictObject({ type: z.literal("mcp_tool_execution_error"), content: z.array(z.unknown()) })
    .nullable(),
}) satisfies z.ZodType<OpenAI.Responses.ResponseOutputItem.McpCall>;

const compactionItem = z.strictObject({
  id: text.startsWith("cmp_"),
  type: z.literal("compaction"),
  encrypted_content: text,
}) satisfies z.ZodType<OpenAI.Responses.ResponseCompactionItem>;

export const outputItem = z.discriminatedUnion("type", [
  answerItem,
  reasoningItem,
  callItem,
  customCallItem,
  runItem,
]) satisfies z.ZodType<OpenAI.Responses.ResponseOutputItem>;

const listedItem = z.union([
  answerItem,
  givenItem,
  reasoningItem,
  callItem,
  resultItem,
  customCallItem,
  customResultItem,
  runItem,
]);
const conversationItem = listedItem satisfies z.ZodType<OpenAI.Conversations.ConversationItem>;
const inputItem = listedItem satisfies z.ZodType<OpenAI.Responses.ResponseItem>;

const usage = z.strictObject({
  input_tokens: count,
  input_tokens_details: z.strictObject({ cached_tokens: count, cache_write_tokens: count }),
  output_tokens: count,
  output_tokens_details: z.strictObject({ reasoning_tokens: count }),
  total_tokens: count,
}) satisfies z.ZodType<OpenAI.Responses.ResponseUsage>;

const functionTool = z.strictObject({
  type: z.literal("function"),
  name: text,
  description: text.nullable(),
  parameters: z.record(text, z.unknown()).nullable(),
  strict: z.boolean(),
}) satisfies z.ZodType<OpenAI.Responses.FunctionTool>;

const customTool = z.strictObject({
  type: z.literal("custom"),
  name: text,
  description: text,
  format: z.strictObject({ type: z.literal("text") }),
}) satisfies z.ZodType<OpenAI.Responses.CustomTool>;

const namespaceTool = z.strictObject({
  type: z.literal("namespace"),
  name: text,
  description: text,
  tools: z.array(z.union([functionTool, customTool])),
}) satisfies z.ZodType<OpenAI.Responses.NamespaceTool>;

const format = z.union([
  z.strictObject({ type: z.enum(["text", "json_object"]) }),
  z.strictObject({
    type: z.literal("json_schema"),
    name: text,
    description: text.exactOptional(),
    schema: z.record(text, z.unknown()),
    strict: z.boolean(),
  }),
]);

/** `output_text` is an addition of the package. */
export const response = z.strictObject({
  id: text.startsWith("resp_"),
  object: z.literal("response"),
  access_programs: z.null(),
  created_at: count,
  completed_at: count.nullable(),
  status: z.enum(["completed", "failed", "in_progress", "cancelled", "incomplete"]),
  background: z.boolean(),
  error: z
    .strictObject({
      // The last one is sent, and known to agents, but is in no published list.
      code: z.enum([
        "server_error",
        "rate_limit_exceeded",
        "invalid_prompt",
        "context_length_exceeded" as "server_error",
      ]),
      message: text,
    })
    .nullable(),
  incomplete_details: z
    .strictObject({ reason: z.enum(["max_output_tokens", "content_filter"]) })
    .nullable(),
  instructions: text.nullable(),
  max_output_tokens: count.nullable(),
  max_tool_calls: z.null(),
  model: text,
  output: z.array(outputItem),
  parallel_tool_calls: z.boolean(),
  previous_response_id: text.nullable(),
  conversation: z.strictObject({ id: text.startsWith("conv_") }).nullable(),
  reasoning: z.strictObject({
    effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).nullable(),
    summary: z.null(),
  }),
  service_tier: z.literal("default"),
  store: z.boolean(),
  temperature: z.number().nullable(),
  text: z.strictObject({ format, verbosity: z.enum(["low", "medium", "high"]).exactOptional() }),
  tool_choice: z.union([
    z.enum(["auto", "none", "required"]),
    z.strictObject({ type: z.literal("function"), name: text }),
  ]),
  tools: z.array(z.union([functionTool, customTool, namespaceTool])),
  top_p: z.number().nullable(),
  top_logprobs: z.literal(0),
  truncation: z.literal("disabled"),
  usage: usage.exactOptional(),
  metadata: z.record(text, text),
}) satisfies z.ZodType<Omit<OpenAI.Responses.Response, "output_text">>;

const conversation = z.strictObject({
  id: text.startsWith("conv_"),
  object: z.literal("conversation"),
  created_at: count,
  metadata: z.record(text, text),
}) satisfies z.ZodType<OpenAI.Conversations.Conversation>;

const deletedConversation = z.strictObject({
  id: text.startsWith("conv_"),
  object: z.literal("conversation.deleted"),
  deleted: z.literal(true),
}) satisfies z.ZodType<OpenAI.Conversations.ConversationDeletedResource>;

const deletedResponse = z.strictObject({
  id: text.startsWith("resp_"),
  object: z.literal("response"),
  deleted: z.literal(true),
});

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({
    object: z.literal("list"),
    data: z.array(item),
    first_id: text,
    last_id: text,
    has_more: z.boolean(),
  });
const conversationItems = listOf(
  conversationItem,
) satisfies z.ZodType<OpenAI.Conversations.ConversationItemList>;

const compacted = z.strictObject({
  id: text.startsWith("resp_"),
  object: z.literal("response.compaction"),
  created_at: count,
  output: z.array(z.union([givenItem, compactionItem])),
  usage,
});
// The package types its messages as answers; the specification also has those of the user.
compacted satisfies z.ZodType<Omit<OpenAI.Responses.CompactedResponse, "output">>;

const model = z.strictObject({
  id: text,
  object: z.literal("model"),
  created: count,
  owned_by: text,
}) satisfies z.ZodType<OpenAI.Models.Model>;
const models = z.strictObject({ object: z.literal("list"), data: z.array(model) });

const embeddings = z.strictObject({
  object: z.literal("list"),
  data: z.array(
    z.strictObject({
      object: z.literal("embedding"),
      index: count,
      // In base64 for those that ask so, which the type leaves out.
      embedding: z.union([z.array(z.number()), text as unknown as z.ZodArray<z.ZodNumber>]),
    }),
  ),
  model: text,
  usage: z.strictObject({ prompt_tokens: count, total_tokens: count }),
}) satisfies z.ZodType<OpenAI.CreateEmbeddingResponse>;

const completionUsage = z.strictObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
}) satisfies z.ZodType<OpenAI.CompletionUsage>;
const completionCall = z.strictObject({
  id: text,
  type: z.literal("function"),
  function: z.strictObject({ name: text, arguments: text }),
});
const completionCustomCall = z.strictObject({
  id: text,
  type: z.literal("custom"),
  custom: z.strictObject({ name: text, input: text }),
});
/** Only the first piece of a call names it. */
const completionCallPiece = z.union([
  z.strictObject({ index: count, ...completionCall.shape }),
  z.strictObject({ index: count, ...completionCustomCall.shape }),
  z.strictObject({ index: count, function: z.strictObject({ arguments: text.min(1) }) }),
]);
const finishReason = z.enum(["stop", "length", "tool_calls", "content_filter"]);
const completionBase = {
  id: text.startsWith("chatcmpl-"),
  created: count,
  model: text,
  service_tier: z.literal("default"),
};

const completion = z.strictObject({
  ...completionBase,
  object: z.literal("chat.completion"),
  choices: z.array(
    z.strictObject({
      index: count,
      message: z.strictObject({
        role: z.literal("assistant"),
        content: text.nullable(),
        refusal: z.null(),
        tool_calls: z.array(z.union([completionCall, completionCustomCall])).exactOptional(),
      }),
      logprobs: z.null(),
      finish_reason: finishReason,
    }),
  ),
  usage: completionUsage,
  metadata: z.record(text, text).exactOptional(),
}) satisfies z.ZodType<OpenAI.ChatCompletion>;

export const completionChunk = z.strictObject({
  ...completionBase,
  object: z.literal("chat.completion.chunk"),
  choices: z.array(
    z.strictObject({
      index: count,
      delta: z.strictObject({
        role: z.literal("assistant").exactOptional(),
        content: text.exactOptional(),
        refusal: z.null().exactOptional(),
        tool_calls: z.array(completionCallPiece).exactOptional(),
      }),
      logprobs: z.null(),
      finish_reason: finishReason.nullable(),
    }),
  ),
  usage: completionUsage.exactOptional(),
}) satisfies z.ZodType<OpenAI.ChatCompletionChunk>;

export const apiError = z.strictObject({
  error: z.strictObject({
    message: text.min(1),
    type: text.min(1),
    param: text.nullable(),
    code: text.nullable(),
  }),
});

const inItem = { sequence_number: count, item_id: text, output_index: count };
const inContent = { ...inItem, content_index: count };
const inSummary = { ...inItem, summary_index: count };
const whole = <Type extends string>(type: Type) =>
  z.strictObject({ type: z.literal(type), sequence_number: count, response });
const item = <Type extends string>(type: Type) =>
  z.strictObject({
    type: z.literal(type),
    sequence_number: count,
    output_index: count,
    item: outputItem,
  });
const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape });

type Event<Type> = Extract<OpenAI.Responses.ResponseStreamEvent, { type: Type }>;

const textEvents = [
  event("response.content_part.added", { ...inContent, part: outputText }),
  event("response.output_text.delta", { ...inContent, delta: text, logprobs: z.array(z.never()) }),
  event("response.output_text.done", { ...inContent, text, logprobs: z.array(z.never()) }),
  event("response.content_part.done", { ...inContent, part: outputText }),
] as const;
textEvents satisfies readonly z.ZodType<
  Event<
    | "response.content_part.added"
    | "response.output_text.delta"
    | "response.output_text.done"
    | "response.content_part.done"
  >
>[];

const toolEvents = [
  event("response.function_call_arguments.delta", { ...inItem, delta: text }),
  event("response.function_call_arguments.done", { ...inItem, name: text, arguments: text }),
  event("response.custom_tool_call_input.delta", { ...inItem, delta: text }),
  event("response.custom_tool_call_input.done", { ...inItem, input: text }),
  event("response.mcp_call.in_progress", inItem),
  event("response.mcp_call_arguments.delta", { ...inItem, delta: text }),
  event("response.mcp_call_arguments.done", { ...inItem, arguments: text }),
  event("response.mcp_call.completed", inItem),
  event("response.mcp_call.failed", inItem),
] as const;
toolEvents satisfies readonly z.ZodType<OpenAI.Responses.ResponseStreamEvent>[];

const reasoningEvents = [
  event("response.reasoning_summary_part.added", { ...inSummary, part: summaryText }),
  event("response.reasoning_summary_text.delta", { ...inSummary, delta: text }),
  event("response.reasoning_summary_text.done", { ...inSummary, text }),
  event("response.reasoning_summary_part.done", { ...inSummary, part: summaryText }),
] as const;
reasoningEvents satisfies readonly z.ZodType<OpenAI.Responses.ResponseStreamEvent>[];

export const responseEvent = z.discriminatedUnion("type", [
  whole("response.created"),
  whole("response.in_progress"),
  whole("response.completed"),
  whole("response.failed"),
  whole("response.incomplete"),
  item("response.output_item.added"),
  item("response.output_item.done"),
  ...textEvents,
  ...toolEvents,
  ...reasoningEvents,
]);
export type PublishedEvent = z.output<typeof responseEvent>;

const routes: readonly (readonly [method: string, path: RegExp, schema: z.ZodType])[] = [
  ["POST", /^\/v1\/responses$/, response],
  ["POST", /^\/v1\/responses\/compact$/, compacted],
  ["GET", /^\/v1\/responses\/[^/]+$/, response],
  ["DELETE", /^\/v1\/responses\/[^/]+$/, deletedResponse],
  ["POST", /^\/v1\/responses\/[^/]+\/cancel$/, response],
  ["GET", /^\/v1\/responses\/[^/]+\/input_items$/, listOf(inputItem)],
  ["POST", /^\/v1\/conversations$/, conversation],
  ["GET", /^\/v1\/conversations\/[^/]+$/, conversation],
  ["POST", /^\/v1\/conversations\/[^/]+$/, conversation],
  ["DELETE", /^\/v1\/conversations\/[^/]+$/, deletedConversation],
  ["GET", /^\/v1\/conversations\/[^/]+\/items$/, conversationItems],
  ["POST", /^\/v1\/conversations\/[^/]+\/items$/, conversationItems],
  ["GET", /^\/v1\/conversations\/[^/]+\/items\/[^/]+$/, conversationItem],
  ["DELETE", /^\/v1\/conversations\/[^/]+\/items\/[^/]+$/, conversation],
  ["POST", /^\/v1\/chat\/completions$/, completion],
  ["POST", /^\/v1\/embeddings$/, embeddings],
  ["GET", /^\/v1\/models$/, models],
  ["GET", /^\/v1\/models\/.+$/, model],
];

export function publishedSchema({
  method,
  path,
  status,
}: {
  method: string;
  path: string;
  status: number;
}): z.ZodType {
  if (status >= 400) return apiError;
  const found = routes.find(([known, pattern]) => known === method && pattern.test(path));
  if (!found) throw new Error(`${method} ${path} has no published schema.`);
  return found[2];
}
