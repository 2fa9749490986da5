import OpenAI from "openai";
import * as unknown from "@/app/v1/[...path]/route";
import * as completions from "@/app/v1/chat/completions/route";
import * as model from "@/app/v1/models/[...modelId]/route";
import * as models from "@/app/v1/models/route";
import * as cancel from "@/app/v1/responses/[responseId]/cancel/route";
import * as inputItems from "@/app/v1/responses/[responseId]/input_items/route";
import * as response from "@/app/v1/responses/[responseId]/route";
import * as responses from "@/app/v1/responses/route";
import { services } from "@/lib/server/services";

type Handler = (request: Request, context: { params: Promise<never> }) => Promise<Response>;

const routes: readonly (readonly [pattern: RegExp, module: object])[] = [
  [/^\/v1\/responses$/, responses],
  [/^\/v1\/responses\/(?<responseId>[^/]+)$/, response],
  [/^\/v1\/responses\/(?<responseId>[^/]+)\/cancel$/, cancel],
  [/^\/v1\/responses\/(?<responseId>[^/]+)\/input_items$/, inputItems],
  [/^\/v1\/chat\/completions$/, completions],
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
    return handle(request, { params: Promise.resolve(params as never) });
  }
  return new Response("Not found", { status: 404 });
}

/** The unmodified client, with a key of its own unless one is given. */
export function clientWith(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: "http://grove.test/v1", fetch: fetchV1, maxRetries: 0 });
}

/** Closes the connections that `services` opened. */
export async function closeServices(): Promise<void> {
  const { sql, chunkSql } = services();
  await Promise.all([sql.end({ timeout: 1 }), chunkSql.end({ timeout: 1 })]);
}
