import type { Feature } from "@/lib/llm";
import type { Refused, RequestQuirk, SentBody, SentMessage } from "./dialect";
import { signature } from "./stream-quirks";

function refused(status: number, message: string, feature?: Feature): Refused {
  return { status, message, ...(feature && { feature }) };
}

export function noTools(status: number, message: string): RequestQuirk {
  return ({ tools = [] }) => (tools.length > 0 ? refused(status, message, "tools") : null);
}

export function noImages(status: number, message: string): RequestQuirk {
  return ({ messages }) => (messages.some(hasImage) ? refused(status, message, "images") : null);
}

export function noSystem(status: number, message: string): RequestQuirk {
  return ({ messages }) =>
    messages.some(({ role }) => role === "system") ? refused(status, message, "system") : null;
}

export function noThoughts(status: number, message: string): RequestQuirk {
  return ({ messages }) =>
    messages.some((each) => "reasoning_content" in each || "reasoning" in each)
      ? refused(status, message, "thoughts")
      : null;
}

function hasImage({ content }: SentMessage): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === "image_url");
}

/** Templates of Mistral's, Gemma's and other models, after the system message. */
export function alternating(message: string): RequestQuirk {
  return ({ messages }) => {
    const spoken = messages.filter(
      ({ role, tool_calls }) => role === "user" || (role === "assistant" && !tool_calls),
    );
    const isWrong = spoken.some(({ role }, at) => role !== (at % 2 === 0 ? "user" : "assistant"));
    return isWrong ? refused(400, message) : null;
  };
}

/** Mistral's API: a question comes only after an answer. */
export const answersAfterTools: RequestQuirk = ({ messages }) => {
  const late = messages.some(
    ({ role }, at) => role === "user" && messages[at - 1]?.role === "tool",
  );
  return late ? refused(400, "Unexpected role 'user' after role 'tool'") : null;
};

/** Mistral's API and templates take ids of nine letters only. */
export const nineLetterIds: RequestQuirk = ({ messages }) => {
  const wrong = idsIn(messages).find((id) => !/^[a-zA-Z0-9]{9}$/.test(id));
  if (wrong === undefined) return null;
  const rule = "must be a-z, A-Z, 0-9, with a length of 9.";
  return refused(400, `Tool call id was ${wrong} but ${rule}`);
};

function idsIn(messages: readonly SentMessage[]): string[] {
  return messages.flatMap(({ tool_calls = [], tool_call_id }) => [
    ...tool_calls.map(({ id }) => id),
    ...(tool_call_id === undefined ? [] : [tool_call_id]),
  ]);
}

export const contentIsText: RequestQuirk = ({ messages }) => {
  const odd = messages.find(
    ({ content }) =>
      typeof content !== "string" && (content ?? null) !== null && !hasImageIn(content),
  );
  return odd ? refused(400, "invalid type: sequence, expected a string for `content`") : null;
};

function hasImageIn(content: unknown): boolean {
  return hasImage({ role: "user", content });
}

/** The whole request is refused for one half of a character or NUL. */
export const wellFormed: RequestQuirk = (body) => {
  const isBroken = textsIn(body).some((text) => !text.isWellFormed() || text.includes("\0"));
  return isBroken ? refused(400, "invalid unicode code point: lone leading surrogate") : null;
};

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** Pydantic models that forbid what they do not know, and say so in a list. */
export function onlyFields(allowed: readonly string[]): RequestQuirk {
  return (body) => {
    const extra = Object.keys(body).find((field) => !allowed.includes(field));
    if (!extra) return null;
    const forbidden = refused(422, forbiddenAt("body", extra));
    return extra === "stream_options" ? { ...forbidden, isAskedAgain: true } : forbidden;
  };
}

function forbiddenAt(...loc: (string | number)[]): string {
  const msg = "Extra inputs are not permitted";
  return JSON.stringify({ detail: [{ type: "extra_forbidden", loc, msg }] });
}

/** No result is blank, as Anthropic demands it behind a proxy. */
export const saysSomething: RequestQuirk = ({ messages }: SentBody) => {
  const blank = messages.some(
    ({ content, tool_calls }) =>
      typeof content === "string" && content.trim() === "" && tool_calls === undefined,
  );
  return blank ? refused(400, "text content blocks must be non-empty") : null;
};

/** Thoughts have to come back in every turn with calls, for ever. @see https://api-docs.deepseek.com/guides/thinking_mode */
export const thoughtsWithCalls: RequestQuirk = ({ messages }) => {
  const missing = turnsOf(messages).some(
    (turn) =>
      turn.some(({ tool_calls }) => tool_calls) &&
      turn.some((each) => each.role === "assistant" && !("reasoning_content" in each)),
  );
  const words = "The `reasoning_content` in the thinking mode must be passed back to the API.";
  return missing ? refused(400, words, "calls") : null;
};

/** Calls of the present turn come back signed. @see https://ai.google.dev/gemini-api/docs/thought-signatures */
export const signedCalls: RequestQuirk = (body) => {
  const { messages, contents = [] } = body as SentBody & { contents?: readonly Content[] };
  const present = turnsOf(messages).at(-1) ?? [];
  const calls = present.flatMap(({ tool_calls = [] }) => tool_calls.slice(0, 1));
  const turn = contents.slice(contents.findLastIndex(isQuestion) + 1);
  const parts = turn.flatMap((each) => each.parts.filter((part) => part.functionCall).slice(0, 1));
  const isSigned =
    calls.every(({ extra_content }) => JSON.stringify(extra_content ?? "").includes(signature)) &&
    parts.every(({ thoughtSignature }) => thoughtSignature === signature);
  return isSigned ? null : refused(400, "Function call is missing a thought_signature", "calls");
};

interface Content {
  readonly role: string;
  readonly parts: readonly {
    readonly functionCall?: unknown;
    readonly thoughtSignature?: string;
    readonly text?: string;
  }[];
}

function isQuestion({ role, parts }: Content): boolean {
  return role === "user" && parts.some(({ text }) => text !== undefined);
}

function turnsOf(messages: readonly SentMessage[]): SentMessage[][] {
  const turns: SentMessage[][] = [[]];
  for (const message of messages) {
    if (message.role === "user") turns.push([]);
    turns.at(-1)?.push(message);
  }
  return turns;
}

/** Thoughts of any answer are refused, as by DeepSeek's first models that think. */
export function noEarlierThoughts(status: number, message: string): RequestQuirk {
  return ({ messages }) => {
    const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
    const early = messages.slice(0, lastQuestion).some((each) => "reasoning_content" in each);
    return early ? refused(status, message, "thoughts") : null;
  };
}

/** OpenAI, Azure and vLLM refuse an empty list of tools. */
export const toolsOrNone: RequestQuirk = ({ tools, tool_choice }) => {
  if (tools?.length === 0) return refused(400, "[] is too short - 'tools'");
  const isAlone = tool_choice !== undefined && tools === undefined;
  return isAlone ? refused(400, "'tool_choice' is only allowed when 'tools' are specified.") : null;
};

/**
 * Claude behind Bedrock and its gateways refuses calls without tools.
 *
 * @see https://github.com/BerriAI/litellm/issues/4689
 */
export const toolsWithCalls: RequestQuirk = ({ messages, tools }) => {
  const isMissing = tools === undefined && messages.some(({ tool_calls }) => tool_calls);
  const words = "Anthropic doesn't support tool calling without `tools=` param specified.";
  if (!isMissing) return null;
  return { ...refused(400, `litellm.UnsupportedParamsError: ${words}`), isAskedAgain: true };
};

/** Schemas become grammars. @see https://github.com/ggml-org/llama.cpp/issues/26930 */
export const anchoredPatterns: RequestQuirk = ({ tools = [] }) => {
  const patterns = tools.flatMap((tool) => patternsIn(tool.function?.parameters));
  const isRefused = patterns.some(
    (pattern) => !/^\^.*\$$/.test(pattern) || /\\[SsWwDd]/.test(pattern),
  );
  const words = "JSON schema conversion failed:\nPattern must start with '^' and end with '$'";
  return isRefused ? refused(400, words) : null;
};

function patternsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, inner]) =>
    key === "pattern" && typeof inner === "string" ? [inner] : patternsIn(inner),
  );
}

/** A template that thinks cannot go on with an answer. @see https://github.com/ggml-org/llama.cpp/issues/20861 */
export const noPrefill: RequestQuirk = ({ messages }) =>
  messages.at(-1)?.role === "assistant"
    ? refused(400, "Assistant response prefill is incompatible with enable_thinking.")
    : null;
