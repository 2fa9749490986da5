import { setTimeout as delay } from "node:timers/promises";

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  readonly lines?: string;
}

const requestTimeoutMs = 20_000;
const pauseMs = 50;

/** One request; `null` when no complete reply came, so that its effect is unknown. */
export async function call(
  address: string,
  { method, path, body, lines }: Call,
  signal?: AbortSignal,
): Promise<Reply | null> {
  const signals = [AbortSignal.timeout(requestTimeoutMs), ...(signal ? [signal] : [])];
  try {
    const response = await fetch(`${address}${path}`, {
      method,
      signal: AbortSignal.any(signals),
      ...(body !== undefined && {
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
      ...(lines !== undefined && {
        headers: { "Content-Type": "application/x-ndjson" },
        body: lines,
      }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? null : JSON.parse(text) };
  } catch {
    return null;
  }
}

/** @throws for a refusal. */
export async function acknowledged(address: string, request: Call): Promise<unknown> {
  const reply = await call(address, request);
  if (reply && reply.status < 300) return reply.body;
  throw new Error(`${request.method} ${request.path}: ${JSON.stringify(reply?.body ?? null)}`);
}

export async function callUntilAcknowledged(
  addresses: () => string,
  request: Call,
  signal: AbortSignal,
): Promise<Reply> {
  while (true) {
    signal.throwIfAborted();
    const reply = await call(addresses(), request, signal);
    if (reply && reply.status < 300) return reply;
    if (reply && reply.status < 500 && reply.status !== 429)
      throw new Error(`${request.method} ${request.path}: ${JSON.stringify(reply.body)}`);
    await delay(pauseMs);
  }
}
