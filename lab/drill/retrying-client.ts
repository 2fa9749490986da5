import { setTimeout as delay } from "node:timers/promises";

export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
  /** Of an import, instead of a body. */
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
