import "server-only";
import { createHash } from "node:crypto";
import type { z } from "zod";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { StoredKey } from "@/lib/chat/core/key-store";
import { type Making, makingOnce } from "@/lib/chat/core/making";
import { asSpace, type PersonId } from "@/lib/chat/core/person-in-space";
import { assertUsesApi, keyHashesOf, scopesOf } from "@/lib/chat/programs/keys";
import { modelNamed } from "@/lib/chat/programs/models";
import type { Program } from "@/lib/chat/programs/program";
import { ProgramError, programError } from "@/lib/chat/programs/program-error";
import { threadInHeaders } from "@/lib/chat/programs/thread";
import { keyInUse } from "@/lib/storage/settings/postgres-keys";
import { accessTo, type SpaceAccess } from "./access";
import { errorResponse, HttpError } from "./http-error";
import { logFailure } from "./log";
import type { OwnerServices } from "./owner-services";
import { parseJsonBody, type RefusedBody, readBody, readJsonBody } from "./read-json-body";
import { answerOnce, requestNameIn } from "./repeated-requests";
import type { NextHandler } from "./route";
import { type Services, services } from "./services";
import { answerTo, eventBody, heldBySignal } from "./viewer";

interface ProgramContext<Params> {
  readonly request: Request;
  readonly params: Params;
  readonly query: URLSearchParams;
  readonly services: Services;
  readonly program: Program;
}

const bodyLimitBytes = 20_000_000;

type ProgramHandler<Params> = (context: ProgramContext<Params>) => Promise<Response> | Response;

const methods = ["DELETE", "GET", "PATCH", "POST", "PUT"] as const;
type ProgramMethod = (typeof methods)[number];

/** The route reads no cookie, so that no web page can use it for a person. */
export function programRoutes<Params = Record<string, never>>(
  handlers: Partial<Record<ProgramMethod, ProgramHandler<Params>>>,
  { errorBody = openaiErrorBody }: { readonly errorBody?: ErrorBody } = {},
): Record<ProgramMethod, NextHandler<Params>> {
  const allowed = methods.filter((method) => handlers[method]).join(", ");
  const refuse: ProgramHandler<Params> = ({ request: { method, url } }) => {
    const { pathname } = new URL(url);
    throw allowed === ""
      ? programError("not-found", `Unknown request URL: ${method} ${pathname}.`)
      : programError("no-method", `Not allowed to ${method} on ${pathname}, only ${allowed}.`);
  };
  const handlerOf = (method: ProgramMethod) => programRoute(handlers[method] ?? refuse, errorBody);
  return {
    DELETE: handlerOf("DELETE"),
    GET: handlerOf("GET"),
    PATCH: handlerOf("PATCH"),
    POST: handlerOf("POST"),
    PUT: handlerOf("PUT"),
  };
}

function programRoute<Params>(
  handler: ProgramHandler<Params>,
  errorBody: ErrorBody,
): NextHandler<Params> {
  return async (request, context) => {
    try {
      heldBySignal(request);
      const shared = services();
      const found = await keyOfRequest(shared, request.headers);
      const { key } = found;
      assertUsesApi(key);
      const place = await placeOfKey(shared, found);
      const owner = shared.acting(place);
      const common = {
        key,
        owner,
        temporary: owner.temporary,
        runner: shared.runner,
        chooseModel: async (name) =>
          name === null
            ? shared.models.choose(owner, null, { ofProject: place.project?.defaultModel ?? null })
            : modelNamed({ key }, await shared.models.registry(owner), name),
        inBackground: (work) =>
          void work().catch((error: unknown) => logFailure("Ending a program's request", error)),
        threadId: threadInHeaders(request.headers),
      } satisfies Omit<Program, "making" | "signal">;
      const query = new URL(request.url).searchParams;
      const params = await context.params;
      const answer = async (asking: Request, making: Making) => {
        const program: Program = { ...common, making, signal: asking.signal };
        return handler({ request: asking, params, query, services: shared, program });
      };
      const response = await answerPost(request, { shared, owner, key }, answer);
      return await answerTo(request, response);
    } catch (error) {
      return await programErrorResponse(error, errorBody);
    }
  };
}

async function answerPost(
  request: Request,
  { shared, owner, key }: { shared: Services; owner: OwnerServices; key: StoredKey },
  answer: (request: Request, making: Making) => Promise<Response>,
): Promise<Response> {
  const name = request.method === "POST" ? requestNameIn(request.headers) : null;
  if (name === null) return answer(request, makingOnce());
  const { method, url, headers, signal } = request;
  const body = await readBody(request, { limitBytes: bodyLimitBytes });
  if (!body.ok) throw invalidBody(body);
  const { pathname, search } = new URL(url);
  const given = comparable(body.bytes);
  const content = [pathname, search, given];
  const memory = { requests: owner.requests, secrets: shared.secrets };
  const keepsAnswer = !asksToStoreNothing(given);
  return answerOnce(memory, { caller: key.id, name, content, keepsAnswer, signal }, (making) =>
    answer(heldBySignal(new Request(url, { method, headers, signal, body: body.bytes })), making),
  );
}

function asksToStoreNothing({ json }: { readonly json?: unknown }): boolean {
  return typeof json === "object" && json !== null && "store" in json && json.store === false;
}

function comparable(bytes: Uint8Array<ArrayBuffer>): {
  readonly json?: unknown;
  readonly hash?: string;
} {
  const parsed = parseJsonBody(bytes);
  return parsed.ok
    ? { json: parsed.value }
    : { hash: createHash("sha256").update(bytes).digest("hex") };
}

interface UsedKey {
  readonly personId: PersonId;
  readonly key: StoredKey;
}

/** Looked up for each request, as that of an address is. No key works for people who only read there. */
export async function placeOfKey(
  shared: Services,
  { personId, key }: UsedKey,
): Promise<SpaceAccess> {
  const space = scopesOf(key).space ?? personId;
  try {
    return await accessTo(shared, { personId }, { space, need: "writes" });
  } catch (error) {
    if (!(error instanceof HttpError && error.code === "space-not-found")) throw error;
    const project = await shared.projects.get({ personId, spaceId: asSpace(space) });
    const state = project?.deletedAt
      ? "is deleted. Restore it in Settings, Recently deleted, or create"
      : "is gone. Create";
    throw programError(
      "invalid-key",
      `The project of the key “${key.name}” ${state} a key for another place in Settings, API keys.`,
    );
  }
}

export async function keyOfRequest(
  { ready, sql, accounts, rightsOf }: Services,
  headers: Pick<Headers, "get">,
): Promise<UsedKey> {
  const hashes = keyHashesOf(headers);
  await ready();
  const found = await keyInUse(sql, hashes);
  const isOpen = found && !(accounts && (await rightsOf(found.personId)).isRemoved);
  if (isOpen) return found;
  throw programError(
    "invalid-key",
    "This key is unknown or revoked. Settings, API keys makes one.",
  );
}

export async function programBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  const body = await readJsonBody(request, { limitBytes: bodyLimitBytes });
  if (!body.ok) throw invalidBody(body);
  const parsed = schema.safeParse(cleanText(body.value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join(".") || null;
  throw programError("invalid", `“${param ?? "body"}” is invalid: ${issue?.message}.`, param);
}

function invalidBody({ status, code, message }: RefusedBody): ProgramError {
  return new ProgramError(status, "invalid_request_error", code, message, null);
}

const errorTypes: Readonly<Record<number, string>> = {
  409: "conflict_error",
  429: "rate_limit_error",
};

type ProgramFailure = Pick<ProgramError, "status" | "type" | "code" | "message" | "param">;
type ErrorBody = (failure: ProgramFailure) => Record<string, unknown>;

function openaiErrorBody({ message, type, param, code }: ProgramFailure): Record<string, unknown> {
  return { error: { message, type, param, code } };
}

async function programErrorResponse(error: unknown, errorBody: ErrorBody): Promise<Response> {
  if (error instanceof Error && error.name === "ProgramError") {
    const failure = error as ProgramError;
    const { status, retryAfterSeconds } = failure;
    const wait = retryAfterSeconds !== undefined && { "Retry-After": `${retryAfterSeconds}` };
    return Response.json(errorBody(failure), { status, headers: { ...wait } });
  }
  const response = errorResponse(error);
  const { error: known } = (await response.json()) as {
    error: { code: string; message: string; field?: string };
  };
  const type =
    response.status >= 500
      ? "server_error"
      : (errorTypes[response.status] ?? "invalid_request_error");
  const code = known.code === "model-unavailable" ? "model_not_found" : known.code;
  const status = code === "model_not_found" ? 404 : response.status;
  const failure = { status, message: known.message, type, param: known.field ?? null, code };
  const retryAfter = response.headers.get("retry-after");
  const headers = retryAfter === null ? undefined : { "Retry-After": retryAfter };
  return Response.json(errorBody(failure), { status, ...(headers && { headers }) });
}

export function programEvents(
  batches: AsyncGenerator<readonly { readonly type?: unknown }[]>,
  { named, end }: { named: boolean; end?: string },
): Response {
  const nameOf = (type: unknown) => (named ? `event: ${String(type)}\n` : "");
  const body = eventBody(batches, {
    end,
    lineOf: (event) => `${nameOf(event.type)}data: ${JSON.stringify(event)}\n\n`,
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    },
  });
}
