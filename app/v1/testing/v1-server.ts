import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { z } from "zod";
import * as unknown from "@/app/v1/[...path]/route";
import * as completions from "@/app/v1/chat/completions/route";
import * as item from "@/app/v1/conversations/[conversationId]/items/[itemId]/route";
import * as items from "@/app/v1/conversations/[conversationId]/items/route";
import * as conversation from "@/app/v1/conversations/[conversationId]/route";
import * as conversations from "@/app/v1/conversations/route";
import * as embeddings from "@/app/v1/embeddings/route";
import * as countTokens from "@/app/v1/messages/count_tokens/route";
import * as messages from "@/app/v1/messages/route";
import * as model from "@/app/v1/models/[...modelId]/route";
import * as models from "@/app/v1/models/route";
import * as cancel from "@/app/v1/responses/[responseId]/cancel/route";
import * as inputItems from "@/app/v1/responses/[responseId]/input_items/route";
import * as response from "@/app/v1/responses/[responseId]/route";
import * as compact from "@/app/v1/responses/compact/route";
import * as responses from "@/app/v1/responses/route";
import { inOwnSpace, localPersonId } from "@/lib/chat/core/person-in-space";
import { createKey } from "@/lib/chat/programs/keys";
import type { KeyScopes } from "@/lib/chat/wire/keys";
import { services } from "@/lib/server/services";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";
import { EventOrder } from "./event-order";
import { type FakeModels, startFakeModels, weatherCall } from "./model-server";
import { apiError, completionChunk, publishedSchema, responseEvent } from "./published-schemas";

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

const routes: readonly (readonly [pattern: RegExp, module: object])[] = [
  [/^\/v1\/responses$/, responses],
  [/^\/v1\/responses\/compact$/, compact],
  [/^\/v1\/responses\/(?<responseId>[^/]+)$/, response],
  [/^\/v1\/responses\/(?<responseId>[^/]+)\/cancel$/, cancel],
  [/^\/v1\/responses\/(?<responseId>[^/]+)\/input_items$/, inputItems],
  [/^\/v1\/conversations$/, conversations],
  [/^\/v1\/conversations\/(?<conversationId>[^/]+)$/, conversation],
  [/^\/v1\/conversations\/(?<conversationId>[^/]+)\/items$/, items],
  [/^\/v1\/conversations\/(?<conversationId>[^/]+)\/items\/(?<itemId>[^/]+)$/, item],
  [/^\/v1\/chat\/completions$/, completions],
  [/^\/v1\/messages$/, messages],
  [/^\/v1\/messages\/count_tokens$/, countTokens],
  [/^\/v1\/embeddings$/, embeddings],
  [/^\/v1\/models$/, models],
  [/^\/v1\/models\/(?<modelId>.+)$/, model],
  [/^\/v1\//, unknown],
];

/** Calls the route handlers as Next does. */
export async function fetchV1(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, init);
  const { pathname } = new URL(request.url);
  for (const [pattern, handlers] of routes) {
    const match = pattern.exec(pathname);
    if (!match) continue;
    const { modelId, ...groups } = match.groups ?? {};
    const params = { ...groups, ...(modelId && { modelId: modelId.split("/") }) };
    const handle = (handlers as Record<string, Handler | undefined>)[request.method];
    if (!handle) return new Response(null, { status: 405 });
    const response = await handle(request, { params: Promise.resolve(params as never) });
    return asPublished(request, response);
  }
  return new Response("Not found", { status: 404 });
}

/** Fails the reader of a body, an error or an event that OpenAI does not publish so. */
async function asPublished(request: Request, response: Response): Promise<Response> {
  const { pathname: path, searchParams } = new URL(request.url);
  // Answers in Anthropic's form are checked by its own client.
  const isForClaude = request.headers.has("anthropic-version");
  if (path.startsWith("/v1/messages") || isForClaude) return response;
  const { method } = request;
  const { status, headers, body } = response;
  if (!headers.get("content-type")?.startsWith("text/event-stream")) {
    publishedSchema({ method, path, status }).parse(await response.clone().json());
    return response;
  }
  const after = Number(searchParams.get("starting_after") ?? -1);
  const order = new EventOrder(after);
  // A stream that begins later has no items to compare with.
  const read = (event: unknown) => {
    if (path === "/v1/chat/completions") z.union([completionChunk, apiError]).parse(event);
    else if (after < 0) order.read(responseEvent.parse(event));
    else responseEvent.parse(event);
  };
  let text = "";
  const decoder = new TextDecoder();
  const checked = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        text += decoder.decode(chunk, { stream: true });
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) {
          const data = /^data: (.*)$/m.exec(event)?.[1] ?? "";
          if (data !== "[DONE]") read(JSON.parse(data));
        }
        controller.enqueue(chunk);
      },
    }),
  );
  return new Response(checked ?? null, { status, headers });
}

/** The unmodified client, with a key of its own unless one is given. */
export function clientWith(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: "http://grove.test/v1", fetch: fetchV1, maxRetries: 0 });
}

const everything: KeyScopes = {
  space: null,
  usesApi: true,
  mcp: [],
  isApp: false,
  keptDays: null,
  canWrite: true,
  usesMemory: false,
  keeps: "asked",
  models: null,
  aliases: {},
  monthlyLimit: null,
  maxRunning: null,
  blocks: null,
};

export const weather = {
  type: "function",
  name: "get_weather",
  description: "The weather of a city.",
  parameters: { type: "object", properties: { city: { type: "string" } } },
  strict: false,
} as const;

/** Serves `/v1` to the tests of a file: a database and models of its own. */
export function serveV1(environment: Readonly<Record<string, string>> = {}) {
  let served: TestServices;
  let fakes: FakeModels;
  beforeAll(async () => {
    fakes = await startFakeModels();
    served = await startTestServices({
      OPENAI_COMPATIBLE_NAME: "fake",
      OPENAI_COMPATIBLE_BASE_URL: fakes.baseUrl,
      ...environment,
    });
  });
  afterAll(async () => {
    await fakes.close();
    expect(fakes.problems).toEqual([]);
    await served.end();
  });
  beforeEach(() => {
    fakes.requests.length = 0;
    fakes.pauseMs = 0;
    fakes.held = null;
    fakes.answer = null;
    fakes.thought = null;
    fakes.end = "stop";
    fakes.call = weatherCall;
    fakes.refuse = () => null;
    fakes.refusalStatus = 400;
  });
  const owner = () => services().acting(inOwnSpace(localPersonId));
  const keyWith = (scopes: Partial<KeyScopes> = {}) =>
    createKey(owner(), { name: "Tests", ...everything, ...scopes });
  return {
    owner,
    keyWith,
    client: async (scopes?: Partial<KeyScopes>) => clientWith((await keyWith(scopes)).secret),
    database: () => served.database,
    models: () => fakes,
  };
}
