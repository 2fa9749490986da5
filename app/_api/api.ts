import type { z } from "zod";
import { answerError, offlineError } from "./api-error";
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
  /** Values that are `null`, `undefined` or empty are left out. */
  readonly query?: QueryOf<Name>;
  readonly signal?: AbortSignal | undefined;
}

type RequestOf<Name extends RouteName> = Required<Name> & Optional<Name>;

type RequestArguments<Name extends RouteName> =
  unknown extends Required<Name> ? [request?: RequestOf<Name>] : [request: RequestOf<Name>];

/**
 * Calls a route of Grove's API as `routes` describes it. @throws {ApiError} for every failing status, and with code
 * `offline` without a response.
 */
export function api<Name extends RouteName>(
  name: Name,
  ...[given]: RequestArguments<Name>
): Promise<AnswerOf<Name>> {
  const {
    params = {},
    query = {},
    body,
    signal,
  } = (given ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, Value>;
    body?: unknown;
    signal?: AbortSignal;
  };
  const [method = "GET", template = ""] = name.split(" ");
  const path = template.replace(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(params[param] ?? ""),
  );
  return request(withQuery(path, query), {
    method,
    ...(signal && { signal }),
    ...(method !== "GET" && {
      headers: jsonHeaders,
      body: JSON.stringify(body ?? {}),
    }),
  });
}

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/** Names this tab. Events of its own requests come back with it as their `origin`. */
export const tabId = crypto.randomUUID();

/** The headers of a request with a JSON body. */
export const jsonHeaders = { "content-type": "application/json", "x-grove-tab": tabId };

/** Encodes the interpolated parts of a path: ``apiPath`/api/sessions/${id}` ``. */
export function apiPath(strings: TemplateStringsArray, ...parts: string[]): string {
  return String.raw({ raw: strings }, ...parts.map(encodeURIComponent));
}

/** Adds a query string without `null`, `undefined` and empty values. */
export function withQuery(
  path: string,
  query: Record<string, string | number | null | undefined>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  return search.size > 0 ? `${path}?${search}` : path;
}

/** @throws {ApiError} for every failing status, and with code `offline` without a response. */
export function apiGet<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return request<Answer>(path, signal ? { signal } : {});
}

/**
 * The body is always JSON, `{}` when empty. @throws {ApiError} for every failing status, and with code `offline`
 * without a response.
 */
export function apiSend<Answer>(
  method: Method,
  path: string,
  body: Record<string, unknown> = {},
): Promise<Answer> {
  return request<Answer>(path, {
    method,
    headers: jsonHeaders,
    body: JSON.stringify(body),
  });
}

async function request<Answer>(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, init).catch((cause: unknown) => {
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

function parsed(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
