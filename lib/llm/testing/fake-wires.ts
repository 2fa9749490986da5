import type { ModelProvider } from "@/lib/llm/model-provider";

interface FakeCall {
  readonly id: string;
  readonly name: string;
  /** Arguments as the provider would write them, JSON or not. */
  readonly input: string;
}

type FakeFinish = "stop" | "length" | "tool-calls" | "content-filter";

export interface FakeUsage {
  readonly input: number;
  readonly output: number;
}

/** Writes one streamed answer in a provider's format; every method returns whole events. */
export interface FakeAnswer {
  begin(): string;
  text(delta: string): string;
  reasoning(delta: string): string;
  call(call: FakeCall): string;
  finish(reason: FakeFinish): string;
  error(message: string): string;
  /** An event that the format does not know. */
  unknown(): string;
}

export interface FakeWire {
  readonly name: string;
  readonly provider: Pick<ModelProvider, "kind" | "api">;
  /** Address after the part that names the fault. */
  readonly path: string;
  /** Without usage, chat completions report none; the others count one token each. */
  answer(usage?: FakeUsage): FakeAnswer;
}

export const fakeWires: readonly FakeWire[] = [
  {
    name: "OpenAI chat",
    provider: { kind: "openai", api: "chat" },
    path: "/v1",
    answer: chatAnswer,
  },
  {
    name: "OpenAI responses",
    provider: { kind: "openai", api: "responses" },
    path: "/v1",
    answer: responsesAnswer,
  },
  {
    name: "Anthropic",
    provider: { kind: "anthropic", api: "chat" },
    path: "/v1",
    answer: anthropicAnswer,
  },
  {
    name: "Google",
    provider: { kind: "google", api: "chat" },
    path: "/v1beta",
    answer: googleAnswer,
  },
  {
    name: "OpenAI-compatible",
    provider: { kind: "compatible", api: "chat" },
    path: "/v1",
    answer: chatAnswer,
  },
];

const oneEach: FakeUsage = { input: 1, output: 1 };

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** @see https://platform.openai.com/docs/api-reference/chat-streaming */
function chatAnswer(used?: FakeUsage): FakeAnswer {
  let calls = 0;
  const usage = used && { prompt_tokens: used.input, completion_tokens: used.output };
  const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) =>
    event({
      ...{ id: "c1", created: 1, model: "m" },
      choices: [{ index: 0, delta, finish_reason }],
      ...more,
    });
  const reasons = {
    stop: "stop",
    length: "length",
    "tool-calls": "tool_calls",
    "content-filter": "content_filter",
  };
  return {
    begin: () => chunk({ role: "assistant", content: "" }),
    text: (content) => chunk({ content }),
    reasoning: (reasoning_content) => chunk({ reasoning_content }),
    call: ({ id, name, input }) =>
      chunk({
        tool_calls: [
          { index: calls++, id, type: "function", function: { name, arguments: input } },
        ],
      }),
    finish: (reason) => `${chunk({}, reasons[reason], { usage })}data: [DONE]\n\n`,
    error: (message) => event({ error: { message, type: "server_error", code: null } }),
    unknown: () => event({ id: "c1", created: 1, model: "m", choices: [], novelty: [1] }),
  };
}

/** @see https://platform.openai.com/docs/api-reference/responses-streaming */
function responsesAnswer({ input, output }: FakeUsage = oneEach): FakeAnswer {
  let items = 0;
  let isTextOpen = false;
  const usage = { input_tokens: input, output_tokens: output };
  const item = (kind: "added" | "done", output_index: number, described: object) =>
    event({ type: `response.output_item.${kind}`, output_index, item: described });
  const text = { type: "message", id: "text", role: "assistant", content: [] };
  const openText = () => {
    if (isTextOpen) return "";
    isTextOpen = true;
    return item("added", items++, text);
  };
  const end = (reason: string | null) => {
    const type = reason === null ? "response.completed" : "response.incomplete";
    return event({ type, response: { incomplete_details: reason && { reason }, usage } });
  };
  return {
    begin: () =>
      event({ type: "response.created", response: { id: "r", created_at: 1, model: "m" } }),
    text: (delta) =>
      openText() + event({ type: "response.output_text.delta", item_id: "text", delta }),
    reasoning: (delta) => {
      const id = `reasoning${items}`;
      const described = { type: "reasoning", id, summary: [] };
      const about = { item_id: id, summary_index: 0 };
      return (
        item("added", items, described) +
        event({ type: "response.reasoning_summary_part.added", ...about }) +
        event({ type: "response.reasoning_summary_text.delta", ...about, delta }) +
        item("done", items++, described)
      );
    },
    call: ({ id, name, input }) => {
      const described = { type: "function_call", id: `item${items}`, call_id: id, name };
      const at = { item_id: described.id, output_index: items };
      return (
        item("added", items, { ...described, arguments: "" }) +
        event({ type: "response.function_call_arguments.delta", ...at, delta: input }) +
        item("done", items++, { ...described, arguments: input, status: "completed" })
      );
    },
    finish: (reason) => {
      const closed = isTextOpen ? item("done", 0, text) : "";
      if (reason === "length") return closed + end("max_output_tokens");
      return closed + end(reason === "content-filter" ? "content_filter" : null);
    },
    error: (message) =>
      event({ type: "error", sequence_number: 1, code: "server_error", message, param: null }),
    unknown: () => event({ type: "response.novelty", novelty: [1] }),
  };
}

/** @see https://docs.claude.com/en/docs/build-with-claude/streaming */
function anthropicAnswer(usage: FakeUsage = oneEach): FakeAnswer {
  let blocks = 0;
  let openText: number | null = null;
  const named = (data: { type: string; [field: string]: unknown }) =>
    `event: ${data.type}\n${event(data)}`;
  const start = (index: number, content_block: object) =>
    named({ type: "content_block_start", index, content_block });
  const delta = (index: number, change: object) =>
    named({ type: "content_block_delta", index, delta: change });
  const stop = (index: number) => named({ type: "content_block_stop", index });
  const closeText = () => {
    const closed = openText === null ? "" : stop(openText);
    openText = null;
    return closed;
  };
  const reasons = {
    stop: "end_turn",
    length: "max_tokens",
    "tool-calls": "tool_use",
    "content-filter": "refusal",
  };
  return {
    begin: () =>
      named({
        type: "message_start",
        message: {
          id: "m1",
          type: "message",
          role: "assistant",
          model: "m",
          content: [],
          stop_reason: null,
          usage: { input_tokens: usage.input, output_tokens: 1 },
        },
      }),
    text: (text) => {
      const opened = openText === null ? start(blocks, { type: "text", text: "" }) : "";
      openText ??= blocks++;
      return opened + delta(openText, { type: "text_delta", text });
    },
    reasoning: (thinking) => {
      const index = blocks++;
      const opened = start(index, { type: "thinking", thinking: "", signature: "" });
      return opened + delta(index, { type: "thinking_delta", thinking }) + stop(index);
    },
    call: ({ id, name, input }) => {
      const closed = closeText();
      const index = blocks++;
      const opened = start(index, { type: "tool_use", id, name, input: {} });
      const written = delta(index, { type: "input_json_delta", partial_json: input });
      return closed + opened + written + stop(index);
    },
    finish: (reason) =>
      closeText() +
      named({
        type: "message_delta",
        delta: { stop_reason: reasons[reason], stop_sequence: null },
        usage: { output_tokens: usage.output },
      }) +
      named({ type: "message_stop" }),
    error: (message) => named({ type: "error", error: { type: "api_error", message } }),
    unknown: () => named({ type: "novelty" }),
  };
}

/** @see https://ai.google.dev/api/generate-content */
function googleAnswer({ input, output }: FakeUsage = oneEach): FakeAnswer {
  const chunk = (parts: object[], finishReason?: string) =>
    event({ candidates: [{ index: 0, content: { role: "model", parts }, finishReason }] });
  const reasons = {
    stop: "STOP",
    length: "MAX_TOKENS",
    "tool-calls": "STOP",
    "content-filter": "SAFETY",
  };
  return {
    begin: () =>
      event({ usageMetadata: { promptTokenCount: input, candidatesTokenCount: output } }),
    text: (text) => chunk([{ text }]),
    reasoning: (text) => chunk([{ text, thought: true }]),
    call: ({ name, input }) => chunk([{ functionCall: { name, args: argumentsOf(input) } }]),
    finish: (reason) => chunk([], reasons[reason]),
    error: (message) => event({ error: { code: 500, message, status: "INTERNAL" } }),
    unknown: () => event({ novelty: [1] }),
  };
}

/** Google sends an object; text that is no JSON becomes a value of another type. */
function argumentsOf(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
