import type { z } from "zod";
import { ApiError, answerError, offlineError } from "./api-error";
import { apiPath } from "./api-path";
import { whileChoosing } from "./choices-under-way";
import { pageFetch } from "./page-person";
import type { AnswerOf, ParamsOf, RouteName, Routes } from "./routes";

type QueryValue = string | number | null | undefined;

type QueryOf<Name extends RouteName> = {
  readonly [Field in keyof z.input<Routes[Name]["query"]>]: QueryValue;
};

type Required<Name extends RouteName> = (keyof ParamsOf<Name> extends never
  ? unknown
  : { readonly params: ParamsOf<Name> }) &
  (undefined extends z.input<Routes[Name]["body"]>
    ? unknown
    : { readonly body: z.input<Routes[Name]["body"]> });

interface Optional<Name extends RouteName> {
  readonly query?: QueryOf<Name>;
  /** Default: that of the page. */
  readonly space?: string | null;
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
  // Messages do not wait for a list of chats.
  const isChoice = method !== "DELETE" && name !== "PATCH /api/sessions";
  return isChoice ? whileChoosing(answer) : answer;
}

export function pathOf<Name extends RouteName>(
  name: Name,
  ...[given]: RequestArguments<Name>
): string {
  const {
    params = {},
    query = {},
    space,
  } = (given ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, QueryValue>;
    space?: string | null;
  };
  const path = name
    .slice(name.indexOf(" ") + 1)
    .replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ""));
  const search = new URLSearchParams();
  for (const [field, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") search.set(field, String(value));
  }
  return apiPath(search.size > 0 ? `${path}?${search}` : path, space);
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

/** Browsers refuse more than 64 KiB, or some hundred requests, that outlive their page. */
const mostKeepaliveBytes = 60 * 1024;
const bytesOfRequest = 1024;
let keepaliveBytes = 0;

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

const mostUnanswered = 100;
const rememberedMs = 60_000;
const longestContent = 20_000;

const unanswered = new Map<string, { readonly name: string; readonly failedAt: number }>();

/** The server answers a repeated name without acting again. Unanswered content keeps its name for a minute. */
async function named<Answer>(
  content: string,
  send: (name: string) => Promise<Answer>,
): Promise<Answer> {
  const known = unanswered.get(content);
  const isRecent = known !== undefined && Date.now() - known.failedAt < rememberedMs;
  const name = isRecent ? known.name : crypto.randomUUID();
  // A second press while the first runs asks for a second thing.
  unanswered.delete(content);
  try {
    return await send(name);
  } catch (error) {
    if (isUnknown(error)) remember(content, name);
    throw error;
  }
}

function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.code === "offline" || error.code === "request-running" || error.status >= 500;
}

function remember(content: string, name: string): void {
  if (content.length > longestContent || content.startsWith("/api/account/")) return;
  unanswered.set(content, { name, failedAt: Date.now() });
  const [oldest] = unanswered.keys();
  if (unanswered.size > mostUnanswered && oldest !== undefined) unanswered.delete(oldest);
}
