import type { AgentInputItem } from "@openai/agents";
import fc, { type Arbitrary } from "fast-check";

const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary", maxLength: 5 }));
const callId = fc.constantFrom("call_1", "call_2", "call_3");
const bytes = fc.uint8Array({ maxLength: 20 }).map((array) => new Uint8Array(array));
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  text,
);
const providerData = fc.dictionary(text, fc.oneof(json, bytes), { maxKeys: 3 });
const base64 = fc.base64String({ minLength: 4, maxLength: 80 });
const source = fc.oneof(
  base64,
  base64.map((data) => `data:image/jpeg;base64,${data}`),
  fc.constant("https://example.com/a.png"),
  text,
);
const fileId = fc.record({ id: text });
const progress = fc.constantFrom("in_progress", "completed", "incomplete");
const caller = fc.oneof(
  fc.constant({ type: "direct" }),
  callId.map((callerId) => ({ type: "program", callerId })),
);

type Fields = Record<string, Arbitrary<unknown>>;

function shape(required: Fields, optional: Fields = {}): Arbitrary<Record<string, unknown>> {
  const fields: Fields = { ...required, ...optional, providerData };
  return fc.record(fields, { requiredKeys: Object.keys(required) });
}

function item(
  type: string,
  required: Fields,
  optional: Fields = {},
): Arbitrary<Record<string, unknown>> {
  return shape({ type: fc.constant(type), ...required }, { id: text, ...optional });
}

function entry(type: string, required: Fields, optional: Fields = {}) {
  return shape({ type: fc.constant(type), ...required }, optional);
}

const breakpoint = { promptCacheBreakpoint: fc.constant({ mode: "explicit" }) };
const inputText = entry("input_text", { text }, breakpoint);
const inputImage = entry(
  "input_image",
  {},
  { image: fc.oneof(source, fileId), detail: text, ...breakpoint },
);
const inputFile = entry(
  "input_file",
  {},
  { file: fc.oneof(source, fileId, fc.record({ url: source })), filename: text, ...breakpoint },
);
const audio = entry(
  "audio",
  { audio: fc.oneof(base64, fileId) },
  {
    format: fc.option(fc.constantFrom("wav", "mp3"), { nil: null }),
    transcript: fc.option(text, { nil: null }),
  },
);

const messages = [
  shape({ role: fc.constant("system"), content: text }, { id: text, type: fc.constant("message") }),
  shape(
    {
      role: fc.constant("user"),
      content: fc.oneof(text, fc.array(fc.oneof(inputText, inputImage, inputFile, audio))),
    },
    { id: text, type: fc.constant("message") },
  ),
  item(
    "message",
    {
      role: fc.constant("assistant"),
      status: progress,
      content: fc.array(
        fc.oneof(
          entry("output_text", { text }),
          entry("refusal", { refusal: text }),
          audio,
          entry("image", { image: source }),
        ),
      ),
    },
    { phase: fc.constantFrom("commentary", "final_answer") },
  ),
];

const toolOutput = fc.oneof(
  text,
  entry("text", { text }),
  entry(
    "image",
    {},
    {
      image: fc.oneof(
        source,
        shape({ data: fc.oneof(base64, bytes) }, { mediaType: text }),
        shape({ url: source }),
        shape({ fileId: text }),
      ),
      detail: text,
    },
  ),
  entry("file", {
    file: fc.oneof(
      source,
      shape({ data: fc.oneof(base64, bytes), mediaType: text, filename: text }),
    ),
  }),
  fc.array(fc.oneof(inputText, inputImage, inputFile)),
);

const args = fc.oneof(
  json.map((value) => JSON.stringify({ value })),
  json.map((value) => JSON.stringify(value, null, 2)),
  text,
);
const action = fc.oneof(
  fc.constant({ type: "screenshot" }),
  fc.record({ type: fc.constant("click"), x: fc.nat(), y: fc.nat(), button: fc.constant("left") }),
);
const outcome = fc.oneof(
  fc.constant({ type: "timeout" }),
  fc.record({ type: fc.constant("exit"), exitCode: fc.option(fc.nat(), { nil: null }) }),
);
const optionalCall = { call_id: fc.option(callId, { nil: null }), callId, status: text };

const tools = [
  item(
    "function_call",
    { callId, name: text, arguments: args },
    { namespace: text, status: progress, caller },
  ),
  item(
    "function_call_result",
    { callId, name: text, status: progress, output: toolOutput },
    { namespace: text, caller },
  ),
  item("hosted_tool_call", { name: text }, { arguments: args, status: text, output: text, caller }),
  item(
    "computer_call",
    { callId, status: progress, action },
    { actions: fc.array(action, { minLength: 1 }) },
  ),
  item("computer_call_result", { callId, output: entry("computer_screenshot", { data: source }) }),
  item(
    "shell_call",
    { callId, action: fc.record({ commands: fc.array(text) }) },
    { status: progress, caller },
  ),
  item(
    "shell_call_output",
    { callId, output: fc.array(fc.record({ stdout: text, stderr: text, outcome })) },
    { status: progress, maxOutputLength: fc.nat(), caller },
  ),
  item(
    "apply_patch_call",
    {
      callId,
      status: fc.constantFrom("in_progress", "completed"),
      operation: fc.record({ type: fc.constant("create_file"), path: text, diff: text }),
    },
    { caller },
  ),
  item(
    "apply_patch_call_output",
    { callId, status: fc.constantFrom("completed", "failed") },
    { output: text, caller },
  ),
  item("program", { callId, code: text, fingerprint: text }),
  item("program_output", {
    callId,
    output: text,
    status: fc.constantFrom("completed", "incomplete"),
  }),
  item("tool_search_call", { arguments: json }, optionalCall),
  item(
    "tool_search_output",
    { tools: fc.array(fc.dictionary(text, json, { maxKeys: 2 })) },
    optionalCall,
  ),
];

const others = [
  item(
    "reasoning",
    { content: fc.array(inputText) },
    { rawContent: fc.array(entry("reasoning_text", { text })) },
  ),
  item("compaction", { encrypted_content: text }, { created_by: text }),
  item("unknown", {}),
];

/** Every kind of item of the protocol, with hostile text and bytes. */
const anyItem = fc.oneof(...messages, ...tools, ...others) as unknown as Arbitrary<AgentInputItem>;

export const anyItems = fc.array(anyItem, { maxLength: 12 });
