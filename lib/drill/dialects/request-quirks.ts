import type { Feature } from "@/lib/llm";
import type { Refused, RequestQuirk, SentBody, SentMessage } from "./dialect";

function refused(status: number, message: string, feature?: Feature): Refused {
  return { status, message, ...(feature && { feature }) };
}

/** The server takes no tools, and says so in its words. */
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

/** Fields of messages that a strict schema forbids. */
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

/** Mistral's API and templates. */
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

/** Servers that read each content as a string. */
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

/** Pydantic models that forbid what they do not know. */
export function onlyFields(allowed: readonly string[]): RequestQuirk {
  return (body) => {
    const extra = Object.keys(body).find((field) => !allowed.includes(field));
    return extra ? refused(422, `body.${extra}: Extra inputs are not permitted`) : null;
  };
}

/** No result is blank, as Anthropic demands it behind a proxy. */
export const saysSomething: RequestQuirk = ({ messages }: SentBody) => {
  const blank = messages.some(
    ({ content, tool_calls }) =>
      typeof content === "string" && content.trim() === "" && tool_calls === undefined,
  );
  return blank ? refused(400, "text content blocks must be non-empty") : null;
};

/** Thoughts of the present turn have to come back with its calls. */
export const thoughtsWithCalls: RequestQuirk = ({ messages }) => {
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  const present = messages.slice(lastQuestion + 1);
  const hadThoughts = messages.some((each) => "reasoning_content" in each);
  const missing = present.some(
    (each) => each.tool_calls && hadThoughts && !("reasoning_content" in each),
  );
  return missing ? refused(400, "Missing reasoning_content in the assistant message") : null;
};

/** Thoughts of earlier turns are refused. */
export const noEarlierThoughts: RequestQuirk = ({ messages }) => {
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  const early = messages.slice(0, lastQuestion).some((each) => "reasoning_content" in each);
  return early ? refused(400, "reasoning_content of earlier turns must not be passed") : null;
};
