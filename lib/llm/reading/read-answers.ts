import { AsyncLocalStorage } from "node:async_hooks";
import type {
  LanguageModelV4Message,
  LanguageModelV4Middleware,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import type { Fetch } from "@/lib/llm/checked-fetch";
import type { AnswerPart } from "@/lib/llm/strict-turns";
import { transformStream } from "@/lib/llm/transform-stream";
import { type AnswerReader, newReadCall, type ReadCall } from "./answer-reader";
import { anthropicReader } from "./anthropic-reader";
import { chatReader } from "./chat-reader";
import { googleReader } from "./google-reader";
import { readBody } from "./read-body";
import { refusalOf, repairParts } from "./repair-parts";
import { responsesReader } from "./responses-reader";
import { type Meant, thoughtTags, withoutTags } from "./thought-tags";
import { wellFormedBody } from "./well-formed";

export type AnswerProtocol = "chat" | "openai-chat" | "responses" | "anthropic" | "google";

const readers: Record<AnswerProtocol, (call: ReadCall) => AnswerReader> = {
  chat: chatReader,
  "openai-chat": (call) => chatReader(call, { dropsThoughts: true }),
  responses: responsesReader,
  anthropic: anthropicReader,
  google: googleReader,
};

const readCall = new AsyncLocalStorage<ReadCall>();

export function readingFetch(fetch: Fetch, protocol: AnswerProtocol): Fetch {
  return async (input, init) => {
    const body = typeof init?.body === "string" ? { body: wellFormedBody(init.body) } : {};
    const response = await fetch(input, { ...init, ...body });
    const call = readCall.getStore();
    if (!call || !response.ok || !response.body) return response;
    const headers = new Headers(response.headers);
    headers.set("content-type", "text/event-stream");
    const { status, statusText } = response;
    const repaired = await readBody(response.body, readers[protocol](call), call);
    return new Response(repaired, { status, statusText, headers });
  };
}

export const readingParts: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  wrapStream: async ({ doStream }) => {
    const call = newReadCall();
    try {
      const result = await readCall.run(call, doStream);
      return { ...result, stream: transformStream(result.stream, repairParts(call)) };
    } catch (error) {
      throw refusalOf(call) ?? error;
    }
  },
};

/** Models with open weights write thoughts between tags in their text. */
export const readingThoughts: LanguageModelV4Middleware = {
  specificationVersion: "v4",
  transformParams: async ({ params }) => ({ ...params, prompt: meantPrompt(params.prompt) }),
  wrapStream: async ({ doStream }) => {
    const result = await doStream();
    return { ...result, stream: transformStream(result.stream, thoughtTags()) };
  },
  wrapGenerate: async ({ doGenerate }) => {
    const result = await doGenerate();
    const content = result.content.flatMap((part) =>
      part.type === "text" ? withoutTags(part.text) : [part],
    );
    return { ...result, content };
  },
};

/** Within one answer the SDK sends back the parts as they came; stored answers have no marks. */
function meantPrompt(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  if (!prompt.some(hasMark)) return prompt;
  return prompt.map((message) =>
    message.role === "assistant" && hasMark(message)
      ? { ...message, content: message.content.map(meantPart) }
      : message,
  );
}

function hasMark(message: LanguageModelV4Message): boolean {
  return message.role === "assistant" && message.content.some((part) => markOf(part) !== undefined);
}

function markOf(part: AnswerPart): Meant | undefined {
  if (part.type !== "text" && part.type !== "reasoning") return undefined;
  return part.providerOptions?.grove as Meant | undefined;
}

function meantPart(part: AnswerPart): AnswerPart {
  const mark = markOf(part);
  if (mark === undefined || (part.type !== "text" && part.type !== "reasoning")) return part;
  const { grove: _, ...providerOptions } = part.providerOptions ?? {};
  if (mark.meant === "reasoning") return { ...part, type: "reasoning", providerOptions };
  if (mark.meant !== "text") return part;
  return { ...part, type: "text", text: mark.opening + part.text, providerOptions };
}
