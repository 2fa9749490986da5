import { type Feature, features } from "./features";

const refusing =
  /not (?:\w+ )?(?:supported|support|supporting|available|enabled|allowed|permitted|implemented|a multimodal)|(?:doesn't|don't|cannot|can't|can not) (?:\w+ )?(?:support|accept|handle|process|use)|unsupported|only supported|no endpoints found|unrecognized|extra (?:inputs|fields)|extra_forbidden|unknown (?:field|parameter|argument|name|variant)|type is unavailable|type[`'"]* must be|requires? --|at most 0 |not compiled (?:for|with)|missing data required|invalid content type/;

const formats =
  /json_(?:schema|object)|response[_ ]?format|structured[_ -]?outputs?|response_?schema|json[_ ]mode|output_(?:config|format)|text\.format/;

const wrongSchema =
  /invalid (?:json )?schema|invalid_json_schema|schema (?:is|was) invalid|schema for response_format|conversion failed|grammar|keyword|additionalproperties|context=|must contain the word/;

const particular: Readonly<Record<Feature, RegExp>> = {
  tools:
    /schema|invalid_function_parameters|(?:tools|functions|function_declarations)[.[]\s*\d|tool_call_id|reasoning[_.]effort|web[_ ]?search|google_search|built-in|code_execution/,
  images:
    /format|too (?:large|big|small|many)|exceeds?|dimension|resolution|corrupt|download|base64|mime|media[_ ]type|could not (?:process|decode)|failed to (?:load|process|decode)|invalid image/,
  pdfs: /too (?:large|big|many)|exceeds?|corrupt|password|encrypted|download|base64|could not (?:process|read)|invalid pdf/,
  schema: wrongSchema,
  json: wrongSchema,
  system: /(?!)/,
  thoughts: /signature|missing|must be passed|required/,
  calls: /(?!)/,
};

const named: Readonly<Record<Feature, RegExp>> = {
  tools: /\btools?\b|tool[_ -]?(?:choice|use|call)|function[_ -]?call|\bfunctions\b/,
  images: /\bimages?\b|image_url|\bvision\b|multi-?modal|mmproj/,
  pdfs: /\bpdfs?\b|file_data|input_file|\bdocuments?\b|[`'"]file[`'"]|\bfile (?:input|part|content)s?\b/,
  schema: formats,
  json: formats,
  system:
    /system[_ ](?:role|message|prompt|instruction)|role[^a-z]{1,4}system|developer (?:instruction|message|role)/,
  thoughts: /reasoning_content|reasoning_details|[`'"]reasoning[`'"]|[`'"]thinking[`'"]/,
  calls: /(?!)/,
};

/** Models that think between calls demand the thoughts of every call. */
const demandedThoughts =
  /(?<!(?:not support|unsupported|unknown|unrecognized|extra)[^.{}]{0,40})(?:reasoning_content|thought_?signature)(?:(?!not (?:\w+ )?(?:support|allowed|permitted)|unsupported|unknown|unrecognized|extra)[\s\S]){0,80}(?:must be|required|missing)|missing (?:a )?\W?(?:reasoning_content|thought_?signature)/;

/** Text-only servers read each message as a string. */
const textOnly = /content[`'"]?\]? (?:must|should) be (?:a |an? )?string|expected a string/;

/** Servers describe the whole request after the first named feature, which counts. @param refusal in lower case. */
export function refusedFeature(
  { status, text }: { readonly status: number | null; readonly text: string },
  sent: ReadonlySet<Feature>,
): Feature | null {
  if (status === 401 || status === 402 || status === 403 || status === 429) return null;
  if (sent.has("calls") && demandedThoughts.test(text)) return "calls";
  const candidates = features.filter((feature) => isAbout(feature, text));
  const at = (feature: Feature) => text.search(named[feature]);
  const [first] = candidates.toSorted((a, b) => at(a) - at(b));
  if (first === "schema" || first === "json") return formatIn(sent);
  if (first) return sent.has(first) ? first : null;
  return sent.has("images") && textOnly.test(text) ? "images" : null;
}

/** Servers name the field of the format, whatever is in it. */
function formatIn(sent: ReadonlySet<Feature>): Feature | null {
  if (sent.has("schema")) return "schema";
  return sent.has("json") ? "json" : null;
}

function isAbout(feature: Feature, text: string): boolean {
  return refusing.test(text) && named[feature].test(text) && !particular[feature].test(text);
}
