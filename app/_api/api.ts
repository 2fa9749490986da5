import type { z } from "zod";
import { answerError, offlineError } from "./api-error";
import { whileChoosing } from "./choices-under-way";
import { pageFetch } from "./page-person";
import { named } from "./request-names";
import type { AnswerOf, ParamsOf, RouteName, Routes } from "./routes";

type Value = string | number | null | undefined;

type QueryOf<Name extends RouteName> = {
  readonly [Field in keyof z.input<Routes[Name]["query"]>]: Value;
};

type Required<Name extends RouteName> = (keyof ParamsOf<Name> extends never
  ? unknown
  : { readonly params: ParamsOf<Name> }) &
  (undefined extends z.input<Routes[Name]["body"]>
    ? unknown
    : { readonly body: z.input<Routes[Name]["body"]> });

interface Optional<Name extends RouteName> {
  readonly query?: QueryOf<Name>;
  readonly signal?: AbortSignal | undefined;
}

type RequestOf<Name extends RouteName> = Required<Name> & Optional<Name>;

type RequestArguments<Name extends RouteName> =
  unknown extends Required<Name> ? [request?: RequestOf<Name>] : [request: RequestOf<Name>];

/** @throws {ApiError} for every failing status, and with code `offline` without a response. */
export function api<Name extends RouteName>(
  name: Name,
  ...given: RequestArguments<Name>
): Promise<AnswerOf<Name>> {
  const { body, signal } = (given[0] ?? {}) as { body?: unknown; signal?: AbortSignal };
  const method = name.slice(0, name.indexOf(" "));
  const path = pathOf(name, ...given);
  const common = { method, ...(signal && { signal }) };
  if (method === "GET") return request(path, common);
  const text = JSON.stringify(body ?? {});
  const write = { ...common, headers: { "content-type": "application/json" }, body: text };
  if (method === "POST")
    return named(`${path}\n${text}`, (requestName) => {
      const headers = { ...write.headers, "idempotency-key": requestName };
      return request(path, { ...write, headers });
    });
  const answer = keepaliveRequest<AnswerOf<Name>>(path, write);
  return method === "DELETE" ? answer : whileChoosing(answer);
}

/** Encoded, without `null`, `undefined` and empty values of the query. */
export function pathOf<Name extends RouteName>(
  name: Name,
  ...[given]: RequestArguments<Name>
): string {
  const { params = {}, query = {} } = (given ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, Value>;
  };
  const path = name
    .slice(name.indexOf(" ") + 1)
    .replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ""));
  const search = new URLSearchParams();
  for (const [field, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(field, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await pageFetch(path, init).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw offlineError(cause);
  });
  const text = await response.text().catch((cause: unknown) => {
    throw offlineError(cause);
  });
  const body = parsed(text);
  if (!response.ok) throw answerError(response.status, body);
  // The server parses and builds every answer from the same wire types, so it is trusted here.
  return body as Answer;
}

/** Browsers refuse more than 64 KiB of bodies, and more than some hundred requests, that outlive their page. */
const mostKeepaliveBytes = 60 * 1024;
const bytesOfRequest = 1024;
let keepaliveBytes = 0;

/** Goes on when its page is left: a page shows many changes before they are stored. */
async function keepaliveRequest<Answer>(
  path: string,
  init: RequestInit & { readonly body: string },
): Promise<Answer> {
  const size = bytesOfRequest + new Blob([init.body]).size;
  if (keepaliveBytes + size > mostKeepaliveBytes) return request(path, init);
  keepaliveBytes += size;
  try {
    return await request(path, { ...init, keepalive: true });
  } finally {
    keepaliveBytes -= size;
  }
}

export function parsed(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
