import type { Random } from "@/lib/text/testing/random";

/** Events between others, as model servers and proxies send them. */
export const strayEvents = [
  "data:\n\n",
  "data: {}\n\n",
  "data: null\n\n",
  "data: 17\n\n",
  'data: {"type":"ping"}\n\n',
  'data: {"error":null}\n\n',
  'data: {"usage":{"prompt_tokens":"11.5","completion_tokens":1e30}}\n\n',
  'data: {"choices":[{"delta":{"role":"model"}}]}\n\n',
  'data: {"type":"content_block_delta","index":90,"delta":{}}\n\n',
  'data: {"type":"content_block_stop","index":91}\n\n',
  "data: {oops\n\n",
  "event: keepalive\ndata: still here\n\n",
  ": a comment\n\n",
  "nonsense\n\n",
  // OpenRouter, while a model is slow.
  ": OPENROUTER PROCESSING\n\n",
  // Azure: the prompt was looked at, and so was the answer, up to a place.
  'data: {"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}}}]}\n\n',
  'data: {"choices":[{"index":0,"finish_reason":null,"content_filter_results":{},"content_filter_offsets":{"check_offset":44,"start_offset":44,"end_offset":198}}]}\n\n',
  // vLLM and others, with `continuous_usage_stats`.
  'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":4,"total_tokens":9,"completion_tokens":5,"prompt_tokens_details":null}}\n\n',
  // llama.cpp.
  'data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"timings":{"prompt_n":1}}\n\n',
  'data: {"prompt_progress":{"total":100,"cache":0,"processed":50,"time_ms":10}}\n\n',
  // LiteLLM and gateways of Gemini.
  'data: {"choices":[{"index":0,"delta":{"content":"","role":"assistant","function_call":null,"tool_calls":null,"audio":null},"logprobs":null}]}\n\n',
  'data: {"candidates":[{"content":{"role":"model"},"index":0}],"modelVersion":"m","responseId":"r"}\n\n',
  'data: {"candidates":[{"content":{"parts":[{"text":""}]}}]}\n\n',
  "id: 7\nretry: 3000\n\n",
  'event: ping\ndata: {"type": "ping"}\n\n',
  `:${" ".repeat(2_048)}\n\n`,
] as const;

/** Events with which a stream fails. */
export const strayErrors = [
  // vLLM.
  'data: {"object":"error","message":"Not now.","type":"InternalServerError","param":null,"code":500}\n\n',
  // OpenRouter.
  'data: {"id":"g","object":"chat.completion.chunk","error":{"code":"server_error","message":"Not now."},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}\n\n',
  // llama.cpp has a field of its own.
  'error: {"code":500,"message":"Not now.","type":"server_error"}\n\n',
  // Proxies.
  '{"error":{"message":"Not now."}}\n\n',
  'event: error\ndata: {"detail":"Not now."}\n\n',
] as const;

/** Changes the bytes of an event, and none of its words. */
type Quirk = (text: string, random: Random) => string;

/** Quirks that change the bytes of an event, not its meaning. */
export const quirks: readonly [Quirk, ...Quirk[]] = [
  // Without the empty line after it.
  (text) => text.replace(/\n\n$/, "\n"),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll("\n", "\r"),
  (text) => text.replace("data: ", "data:"),
  (text) => text.replace("data: ", "data: data: "),
  (text) => text.replace(/\n\n$/, "  \n\n"),
  (text) => `event: message\n${text}`,
  (text, random) => `id: ${random.below(99)}\n${text}`,
  // JSON over several lines of data.
  (text) => text.replace(/^data: \{"/m, 'data: {\ndata: "'),
  // JSON as Python writes it.
  (text) => text.replaceAll('":', '": ').replaceAll(',"', ', "'),
  (text) => withField(text, '"logprob":NaN'),
  (text) => withField(text, '"logprob":-Infinity'),
  (text) => (/\\"|'/.test(text) ? text : pythonic(text)),
  (text) => text.replace(/[^\0-\x7f]/g, (sign) => `\\u${hexOf(sign)}`),
  // Signs that JSON would escape.
  (text) => text.replace(" word", "\u0007\t word"),
  (text) => text.replace('" word', '" \n word'),
  (text) => text.replace(" word", "\\q word"),
  // Reasons of an end in each event.
  (text) => text.replace('"finish_reason":null', '"finish_reason":"stop"'),
  (text) => text.replace('"finish_reason":null', '"finish_reason":""'),
  (text) => text.replace("]}}]}", ']},"finishReason":"STOP"}]}'),
  // Thoughts and text in other fields.
  (text) => text.replace('"reasoning_content":', '"content":null,"reasoning":'),
  (text) => text.replace(/"content":(" [^"]*")/, '"content":[{"type":"text","text":$1}]'),
  (text) => text.replace(/"delta":\{"content":(" [^"]*")\}/, '"text":$1'),
  (text) => text.replace('"delta":{"content"', '"message":null,"delta":{"tool_calls":[],"content"'),
  // Ollama gives all calls one index, others none.
  (text) => text.replace(/"tool_calls":\[\{"index":\d+,/, '"tool_calls":[{"index":0,'),
  (text) => text.replace(/"tool_calls":\[\{"index":\d+,/, '"tool_calls":[{'),
  (text) => text.replace('"arguments":"{\\"a\\":1}"', '"arguments":{"a":1}'),
];

function withField(text: string, field: string): string {
  return text.replace(/^data: \{"/m, `data: {${field},"`);
}

function pythonic(text: string): string {
  return text.replaceAll('"', "'").replaceAll(":null", ": None");
}

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).padStart(4, "0");
}
