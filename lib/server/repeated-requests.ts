import "server-only";
import { createHash, createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Making } from "@/lib/chat/core/making";
import type { HeldRequest, PostgresRequests, RequestState } from "@/lib/storage/postgres-requests";
import { canonicalJson } from "@/lib/text/canonical-json";
import { HttpError } from "./http-error";
import { logFailure } from "./log";
import type { SecretBox } from "./secret-box";

const leaseMs = 9_000;
const renewMs = 3_000;
/** Shorter than a proxy waits. */
const mostWaitMs = 20_000;
const lookMs = 100;
const mostLookMs = 1_000;
const mostAnswerCharacters = 1_000_000;
const mostNameCharacters = 255;
const retryAfterSeconds = 5;

export interface RequestMemory {
  readonly requests: Pick<PostgresRequests, "claim" | "renew" | "begin" | "end" | "release">;
  readonly secrets: Pick<SecretBox, "seal" | "open" | "derive">;
}

export interface RepeatableRequest {
  readonly caller: string;
  readonly name: string;
  readonly content: unknown;
  readonly keepsAnswer?: boolean;
  readonly signal: AbortSignal;
}

/** @see https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header */
export function requestNameIn(headers: Pick<Headers, "get">): string | null {
  const name = headers.get("idempotency-key");
  if (name === null || (name !== "" && name.length <= mostNameCharacters)) return name;
  const message = `“Idempotency-Key” must have 1 to ${mostNameCharacters} characters, such as a UUID.`;
  throw new HttpError(400, "invalid-idempotency-key", message, "Idempotency-Key");
}

/**
 * A repeated request waits for the first answer from any process. A failed one, for which `answer` throws, is tried
 * again. @throws {HttpError} 409 for other content, an answer that was not kept, and one that takes long.
 */
export async function answerOnce(
  memory: RequestMemory,
  request: RepeatableRequest,
  answer: (making: Making) => Promise<Response>,
): Promise<Response> {
  const { caller, name, content, signal } = request;
  const key = await memory.secrets.derive("repeated requests");
  const digest = createHmac("sha256", key).update(canonicalJson(content)).digest("base64url");
  const id = createHash("sha256")
    .update(canonicalJson([caller, name]))
    .digest("base64url");
  const startedAt = performance.now();
  for (let pauseMs = lookMs; ; pauseMs = Math.min(2 * pauseMs, mostLookMs)) {
    const found = await memory.requests.claim({ id, digest }, leaseMs);
    switch (found.state) {
      case "mine":
        return answerFirst(memory, { ...request, held: found.held }, answer);
      case "begun":
        return answer({ id: found.madeId, name, hasBegun: true, begun: async () => undefined });
      case "done":
        return answerAgain(memory, id, found);
      case "other":
        throw refused("conflict", "This Idempotency-Key was used for another request.");
      case "running":
        if (signal.aborted || performance.now() - startedAt > mostWaitMs) throw stillRunning();
        await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

function stillRunning(): HttpError {
  const message = "The same request is still being answered. Send it again in a moment.";
  return new HttpError(409, "request-running", message, undefined, retryAfterSeconds);
}

async function answerFirst(
  { requests, secrets }: RequestMemory,
  { held, name, keepsAnswer = true }: RepeatableRequest & { held: HeldRequest },
  answer: (making: Making) => Promise<Response>,
): Promise<Response> {
  const renewing = setInterval(() => {
    requests.renew(held, leaseMs).catch(logged);
  }, renewMs);
  let isHeld = true;
  // A failure here is safe: the next process finds the product by its id.
  const noted = (write: Promise<void>) =>
    write.then(() => {
      isHeld = false;
    }, logged);
  const begun = () => noted(requests.begin(held));
  try {
    const response = await answer({ id: held.madeId, name, hasBegun: false, begun });
    const end = async () => {
      const text = await response.clone().text();
      const isKept = keepsAnswer && text.length <= mostAnswerCharacters;
      const sealed = isKept ? await secrets.seal(text, held.id) : null;
      await requests.end(held, { status: response.status, answer: sealed });
    };
    if (isHeld && isRemembered(response)) await noted(end());
    return response;
  } finally {
    clearInterval(renewing);
    if (isHeld) await requests.release(held).catch(logged);
  }
}

/** Streams are answered from their running source, and cookies are for one browser. */
function isRemembered({ ok, headers }: Response): boolean {
  const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
  return ok && isJson && !headers.has("set-cookie");
}

function logged(error: unknown): void {
  logFailure("Remembering the answer to a request", error);
}

async function answerAgain(
  { secrets }: RequestMemory,
  id: string,
  { status, answer }: Extract<RequestState, { state: "done" }>,
): Promise<Response> {
  const text = answer === null ? null : await secrets.open(answer, id);
  if (text === null)
    throw refused(
      "request-done",
      "This was done already, and its answer was not kept. Look for what it made before you ask again.",
    );
  const headers = { "Content-Type": "application/json", "Idempotent-Replayed": "true" };
  return new Response(text, { status: status ?? 200, headers });
}

function refused(code: "conflict" | "request-done", message: string): HttpError {
  return new HttpError(409, code, message);
}
