import { type FakeWire, fakeWires } from "@/lib/drill/fake-wires";
import type { Dialect, Refused } from "./dialect";
import {
  alternating,
  answersAfterTools,
  contentIsText,
  nineLetterIds,
  noEarlierThoughts,
  noImages,
  noSystem,
  noThoughts,
  noTools,
  onlyFields,
  saysSomething,
  thoughtsWithCalls,
  wellFormed,
} from "./request-quirks";

const compatible = wireNamed("OpenAI-compatible");

const jinjaTurns = alternating(
  "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
);

/** A row each. Quirks are those that the products document, or answer with in their public trackers. */
export const dialects: readonly Dialect[] = [
  { name: "OpenAI", wire: wireNamed("OpenAI chat"), requires: [wellFormed] },
  { name: "OpenAI Responses", wire: wireNamed("OpenAI responses"), requires: [wellFormed] },
  { name: "Anthropic", wire: wireNamed("Anthropic"), requires: [wellFormed] },
  { name: "Google", wire: wireNamed("Google"), requires: [wellFormed] },
  { name: "Azure", wire: compatible, requires: [wellFormed, saysSomething] },
  {
    name: "OpenRouter",
    wire: compatible,
    requires: [
      noTools(404, "No endpoints found that support tool use. Try disabling “search_chats”."),
      noImages(404, "No endpoints found that support image input"),
    ],
    streams: [(events) => [": OPENROUTER PROCESSING\n\n", ...events]],
    refusal: ({ status, message }) => ({ error: { message, code: status } }),
  },
  {
    name: "Groq",
    wire: compatible,
    requires: [
      noThoughts(400, "'messages.2' : property 'reasoning_content' is unsupported"),
      noImages(400, "'messages.1' : messages[1].content must be a string"),
      wellFormed,
    ],
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
        ...["model", "messages", "tools", "tool_choice", "stream", "stream_options"],
        ...["temperature", "top_p", "max_tokens", "stop", "response_format"],
      ]),
    ],
    refusal: ({ status, message }) => ({
      object: "error",
      message,
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
      noEarlierThoughts,
      thoughtsWithCalls,
    ],
    streams: [(events) => [": keep-alive\n\n", ...events]],
  },
  {
    name: "Gemini-compatible",
    wire: compatible,
    requires: [wellFormed, saysSomething],
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
    ],
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
    refusal: ({ status, message }) => ({ object: "error", message, code: status }),
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
    name: "LM Studio",
    wire: compatible,
    requires: [
      noImages(400, "Model does not support images. Please use a model that does."),
      jinjaTurns,
    ],
    refusal: ({ message }) => ({ error: message }),
  },
  {
    name: "Ollama",
    wire: compatible,
    requires: [
      noTools(400, "registry.ollama.ai/library/m:latest does not support tools"),
      noImages(500, "this model is missing data required for image input"),
    ],
    refusal: ({ message }) => ({
      error: { message, type: "api_error", param: null, code: null },
    }),
  },
];

export function bodyOf(refused: Refused, { refusal }: Dialect): unknown {
  if (refusal) return refusal(refused);
  const { message } = refused;
  return { error: { message, type: "invalid_request_error", param: null, code: null } };
}

function wireNamed(name: string): FakeWire {
  const wire = fakeWires.find((each) => each.name === name);
  if (!wire) throw new Error(`There is no format ${name}.`);
  return wire;
}
