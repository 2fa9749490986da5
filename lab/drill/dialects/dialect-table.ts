import { type FakeWire, fakeWires } from "@/lib/llm/testing/fake-wires";
import type { Dialect, Refused } from "./dialect";
import {
  alternating,
  anchoredPatterns,
  answersAfterTools,
  contentIsText,
  nineLetterIds,
  noEarlierThoughts,
  noImages,
  noPrefill,
  noSystem,
  noThoughts,
  noTools,
  onlyFields,
  saysSomething,
  signedCalls,
  thoughtsWithCalls,
  toolsOrNone,
  toolsWithCalls,
  wellFormed,
} from "./request-quirks";
import {
  annotatesContent,
  detailsReasoning,
  endsWith,
  fillsDeltas,
  listsThoughts,
  namesReasoning,
  numbersCallsZero,
  signsCalls,
  signsParts,
  waitsWith,
} from "./stream-quirks";

const compatible = wireNamed("OpenAI-compatible");

const jinjaTurns = alternating(
  "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
);

const openaiUsage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
const openRouterUsage = {
  id: "c1",
  choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
  usage: { ...openaiUsage, cost: 0.00002, is_byok: false },
};

/** A row each. Quirks are those that the products document, or answer with in their public trackers. */
export const dialects: readonly Dialect[] = [
  {
    name: "OpenAI",
    wire: wireNamed("OpenAI chat"),
    requires: [wellFormed, toolsOrNone],
    streams: [endsWith({ id: "c1", choices: [], usage: openaiUsage })],
  },
  { name: "OpenAI Responses", wire: wireNamed("OpenAI responses"), requires: [wellFormed] },
  {
    name: "Anthropic",
    wire: wireNamed("Anthropic"),
    requires: [wellFormed],
    refusal: ({ message, code = "invalid_request_error" }) => ({
      type: "error",
      error: { type: code, message },
    }),
    streams: [waitsWith('event: ping\ndata: {"type": "ping"}')],
  },
  {
    name: "Google",
    wire: wireNamed("Google"),
    requires: [wellFormed, signedCalls],
    refusal: ({ status, message }) => ({
      error: { code: status, message, status: "INVALID_ARGUMENT" },
    }),
    streams: [signsParts],
  },
  {
    name: "Azure",
    wire: compatible,
    requires: [wellFormed, saysSomething, toolsOrNone],
    streams: [annotatesContent],
  },
  {
    name: "OpenRouter",
    wire: compatible,
    requires: [
      noTools(404, "No endpoints found that support tool use. Try disabling “search_chats”."),
      noImages(404, "No endpoints found that support image input"),
    ],
    streams: [detailsReasoning, waitsWith(": OPENROUTER PROCESSING"), endsWith(openRouterUsage)],
    refusal: ({ status, message }) => ({ error: { message, code: status }, user_id: "user_1" }),
  },
  {
    name: "Groq",
    wire: compatible,
    requires: [
      noThoughts(400, "'messages.2' : property 'reasoning_content' is unsupported"),
      noImages(400, "'messages.1' : messages[1].content must be a string"),
      wellFormed,
    ],
    streams: [namesReasoning, endsWith({ id: "c1", choices: [], x_groq: { usage: openaiUsage } })],
  },
  {
    name: "Mistral",
    wire: compatible,
    requires: [
      nineLetterIds,
      answersAfterTools,
      noThoughts(
        422,
        "body.messages.2.assistant.reasoning_content: Extra inputs are not permitted",
      ),
      onlyFields([
        ...["model", "messages", "tools", "tool_choice", "stream"],
        ...["temperature", "top_p", "max_tokens", "stop", "response_format"],
      ]),
    ],
    streams: [listsThoughts],
    refusal: ({ status, message }) => ({
      object: "error",
      message: detailsIn(message),
      type: "invalid_request_error",
      raw_status_code: status,
    }),
  },
  {
    name: "DeepSeek",
    wire: compatible,
    requires: [
      contentIsText,
      noImages(400, "messages[1]: unknown variant `image_url`, expected `text`"),
      thoughtsWithCalls,
    ],
    streams: [fillsDeltas, waitsWith(": keep-alive")],
  },
  {
    name: "DeepSeek R1",
    wire: compatible,
    requires: [
      noTools(400, "deepseek-reasoner does not support Function Calling"),
      contentIsText,
      noImages(400, "messages[1]: unknown variant `image_url`, expected `text`"),
      noEarlierThoughts(400, "`reasoning_content` is not supported in messages"),
    ],
    streams: [fillsDeltas, waitsWith(": keep-alive")],
  },
  {
    name: "Gemini-compatible",
    wire: compatible,
    requires: [wellFormed, saysSomething, signedCalls],
    streams: [signsCalls],
    refusal: ({ status, message }) => [
      { error: { code: status, message, status: "INVALID_ARGUMENT" } },
    ],
  },
  {
    name: "LiteLLM",
    wire: compatible,
    requires: [
      noTools(400, "litellm.UnsupportedParamsError: m does not support parameters: ['tools']"),
      saysSomething,
    ],
    refusal: ({ status, message }) => ({
      error: { message, type: "None", param: null, code: String(status) },
    }),
  },
  {
    name: "LiteLLM with Claude",
    wire: compatible,
    requires: [saysSomething, toolsWithCalls],
    streams: [fillsDeltas],
    refusal: ({ status, message }) => ({
      error: { message, type: "None", param: null, code: String(status) },
    }),
  },
  {
    name: "vLLM",
    wire: compatible,
    requires: [
      noTools(
        400,
        '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      ),
      noImages(400, "m is not a multimodal model"),
      jinjaTurns,
      wellFormed,
      toolsOrNone,
    ],
    streams: [namesReasoning],
    refusal: ({ status, message }) => ({
      object: "error",
      message,
      type: "BadRequestError",
      param: null,
      code: status,
    }),
  },
  {
    name: "vLLM with Gemma",
    wire: compatible,
    requires: [
      noTools(400, "tools is not supported with this model"),
      noSystem(400, "System role not supported"),
      alternating("Conversation roles must alternate user/assistant/user/assistant/..."),
    ],
    refusal: ({ status, message }) => ({ object: "error", message, code: status }),
  },
  {
    name: "vLLM with Mistral",
    wire: compatible,
    requires: [jinjaTurns, nineLetterIds, answersAfterTools],
    refusal: ({ status, message }) => ({
      error: { message, type: "BadRequestError", param: null, code: status },
    }),
  },
  {
    name: "llama.cpp",
    wire: compatible,
    requires: [
      noTools(500, "tools param requires --jinja flag"),
      noImages(
        500,
        "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
      ),
    ],
    refusal: ({ status, message }) => ({ error: { code: status, message, type: "server_error" } }),
  },
  {
    name: "llama.cpp with --jinja",
    wire: compatible,
    requires: [anchoredPatterns, noPrefill, jinjaTurns],
    streams: [
      fillsDeltas,
      endsWith({ choices: [], timings: { predicted_n: 3, predicted_ms: 9.5 } }),
    ],
    refusal: ({ status, message }) => ({
      error: { code: status, message, type: "invalid_request_error" },
    }),
  },
  {
    name: "LM Studio",
    wire: compatible,
    requires: [
      noImages(400, "Model does not support images. Please use a model that does."),
      jinjaTurns,
    ],
    streams: [namesReasoning],
    refusal: ({ message }) => ({ error: message }),
  },
  {
    name: "Ollama",
    wire: compatible,
    requires: [
      noTools(400, "registry.ollama.ai/library/m:latest does not support tools"),
      noImages(500, "this model is missing data required for image input"),
    ],
    streams: [namesReasoning],
    refusal: ({ message }) => ({
      error: { message, type: "api_error", param: null, code: null },
    }),
  },
  {
    name: "Ollama with tools",
    wire: compatible,
    streams: [namesReasoning, numbersCallsZero],
    refusal: ({ message }) => ({
      error: { message, type: "api_error", param: null, code: null },
    }),
  },
];

export function bodyOf(refused: Refused, { refusal }: Dialect): unknown {
  if (refusal) return refusal(refused);
  const { message, code = null } = refused;
  return { error: { message, type: "invalid_request_error", param: null, code } };
}

function wireNamed(name: string): FakeWire {
  const wire = fakeWires.find((each) => each.name === name);
  if (!wire) throw new Error(`There is no format ${name}.`);
  return wire;
}

/** Reads a refusal as a list of faults. */
function detailsIn(message: string): unknown {
  return message.startsWith("{") ? JSON.parse(message) : message;
}

export function dialectNamed(name: string): Dialect {
  const dialect = dialects.find((each) => each.name === name);
  if (!dialect) throw new Error(`There is no dialect ${name}.`);
  return dialect;
}
