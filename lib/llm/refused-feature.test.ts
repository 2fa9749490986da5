import { describe, expect, it } from "vitest";
import { type Feature, features } from "./features";
import { refusedFeature } from "./refused-feature";

const everything = new Set<Feature>(features);

/** As the servers word it. */
const refusals: readonly (readonly [Feature, number | null, string])[] = [
  [
    "tools",
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ],
  ["tools", 500, "tools param requires --jinja flag"],
  ["tools", 500, "Unsupported param: tools"],
  ["tools", 400, "registry.ollama.ai/library/gemma:2b does not support tools"],
  ["tools", 404, 'No endpoints found that support tool use. Try disabling "search".'],
  ["tools", 400, "`tool calling` is not supported with this model"],
  ["tools", 400, "deepseek-reasoner does not support Function Calling"],
  ["tools", 400, "Function calling is not enabled for models/gemma-3-27b-it"],
  ["tools", 400, "litellm.UnsupportedParamsError: x does not support parameters: ['tools']"],
  [
    "tools",
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","tools"],"msg":"Extra inputs are not permitted"}]}',
  ],
  ["tools", 400, "Unrecognized request argument supplied: tools"],
  ["tools", 400, "This model doesn't support tool use in streaming mode."],
  ["tools", null, "tools is not supported with this model"],
  ["images", 400, "google/gemma-2 is not a multimodal model"],
  [
    "images",
    500,
    "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
  ],
  ["images", 400, "unknown variant `image_url`, expected `text`"],
  ["images", 400, "At most 0 image(s) may be provided in one prompt."],
  ["images", 404, "No endpoints found that support image input"],
  ["images", 400, "Model does not support images. Please use a model that does."],
  ["images", 400, "Invalid content type. image_url is only supported by certain models."],
  ["images", 500, "this model is missing data required for image input"],
  ["images", 400, "'messages.1.content' : messages[1].content must be a string"],
  ["pdfs", 400, "This model does not support `file` content."],
  ["pdfs", 400, "unknown variant `file`, expected `text` or `image_url`"],
  [
    "schema",
    400,
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  ],
  ["schema", 400, "This response_format type is unavailable now"],
  ["schema", 400, "This model does not support response format `json_schema`."],
  ["schema", 400, "'response_format.type' must be 'json_schema' or 'text'"],
  [
    "schema",
    422,
    '{"type":"extra_forbidden","loc":["body","response_format"],"msg":"Extra inputs are not permitted"}',
  ],
  ["system", 400, "System role not supported"],
  ["system", 400, "Developer instruction is not enabled for models/gemma-3-27b-it"],
  ["thoughts", 400, "'messages.2' : property 'reasoning_content' is unsupported"],
  [
    "thoughts",
    422,
    '{"type":"extra_forbidden","loc":["body","messages",2,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}',
  ],
  ...[
    "reasoning_content is not supported: content must be a string",
    "`reasoning_content` is not currently supported, messages must be objects of role and content",
    "'reasoning_content' is not allowed here; each message must be a string",
    "Unknown field reasoning_content: content must be a string",
    "Unrecognized key 'reasoning_content', content must be a string",
    "This server does not support reasoning_content; content must be a string",
    "messages[2].reasoning_content: Extra inputs are not permitted, content must be a string",
    "reasoning_content is unsupported; content must be text",
  ].map((words) => ["thoughts", 400, words] as const),
  ["calls", 400, "The `reasoning_content` in the thinking mode must be passed back to the API."],
  ["calls", 400, "Missing `reasoning_content` field in the assistant message at message index 96"],
  ["calls", 400, "Missing `reasoning_content` field, which is not allowed"],
  ["calls", 400, "Function call is missing a thought_signature in functionCall parts."],
  [
    "calls",
    400,
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
  ],
  [
    "calls",
    422,
    '{"loc":["body","messages",2,"assistant","reasoning_content"],"msg":"Field required"}',
  ],
  [
    "calls",
    422,
    '{"detail":[{"type":"extra_forbidden","loc":["body","seed"]},{"loc":["body","messages",2,"reasoning_content"],"msg":"Field required"}]}',
  ],
  [
    "calls",
    400,
    'Provider returned error {"raw":"{\\"error\\":{\\"message\\":\\"The `reasoning_content` in the thinking mode must be passed back to the API.\\"}}"}',
  ],
];

const others: readonly (readonly [number | null, string])[] = [
  [
    400,
    "Invalid schema for function 'search': In context=('properties', 'a'), 'oneOf' is not permitted.",
  ],
  [400, "tools.3.custom.input_schema: JSON schema is not supported"],
  [400, "GenerateContentRequest.tools[0].function_declarations[2].name: unsupported characters"],
  [
    400,
    "You uploaded an unsupported image. Please make sure your image has one of the following formats: png",
  ],
  [400, "messages.0.content.1.image.source: image exceeds 5 MB maximum, which is not supported"],
  [400, "Could not process image"],
  [400, "messages.1.content.0.thinking.signature: Field required"],
  [400, "Corrupted thought signature."],
  [400, "reasoning_content is too long"],
  [400, "This model's maximum context length is 8192 tokens. Tools count, too."],
  [401, "This key does not support tools"],
  [429, "Tool use is not available on the free tier right now"],
  [500, "Internal server error"],
  [400, "The web_search tool is not supported by this model"],
  [
    400,
    "Function tools with reasoning_effort are not supported. Please use /v1/responses instead.",
  ],
  [404, "The model `gpt-9` does not exist"],
];

describe("refusedFeature", () => {
  it.each(refusals)("finds that %s are refused with %s: %s", (feature, status, words) => {
    expect(refusedFeature({ status, text: words.toLowerCase() }, everything)).toBe(feature);
  });

  it.each(others)("finds no refusal in %s: %s", (status, words) => {
    expect(refusedFeature({ status, text: words.toLowerCase() }, everything)).toBeNull();
  });

  it.each(refusals)("finds no %s in a request that had none: %s %s", (feature, status, words) => {
    const absent = feature === "schema" ? ["schema", "json"] : [feature];
    const sent = new Set(features.filter((each) => !absent.includes(each)));
    expect(refusedFeature({ status, text: words.toLowerCase() }, sent)).toBeNull();
  });
});
