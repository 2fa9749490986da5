import type postgres from "postgres";
import { z } from "zod";
import { Listener } from "./connections/listener";
import type { Sql } from "./connections/sql";
import { statementsOf } from "./connections/statement";

/** Sender, its message number, and pairs of topic and body. */
const payloadSchema = z.tuple([z.string(), z.int()]).rest(z.tuple([z.string(), z.unknown()]));

const channel = "grove";
// Postgres refuses 8,000 bytes and more.
const maxPayloadBytes = 7_900;
const maxMessageBytes = 7_800;
const maxPayloadsPerStatement = 64;
const maxWaiting = 10_000;
const retryMs = 1_000;
const pauseMs = 20;
const maxSendersRemembered = 1_000;

type Payload = readonly [number: number, text: string];

export interface NotificationsOptions {
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Messages between the processes on one database. Each is sent after its write: a NOTIFY inside each write would queue
 * all commits of the database behind one lock. Those of one process arrive in order and once. Messages are lost when a
 * process dies before sending, and while a listener is cut off; that one is notified afterwards. @see
 * https://www.postgresql.org/docs/current/sql-notify.html
 */
export class Notifications {
  readonly #sql: Sql;
  readonly #options: NotificationsOptions;
  readonly #sender = crypto.randomUUID();
  readonly #listeners = new Map<string, Set<(body: unknown) => void>>();
  readonly #missedListeners = new Set<() => void>();
  readonly #lastReceived = new Map<string, number>();
  #waiting: string[] = [];
  #sent = 0;
  #sending: Promise<void> | null = null;
  #listener: Listener | null = null;

  constructor(pool: Sql | postgres.Sql, options: NotificationsOptions = {}) {
    this.#sql = statementsOf(pool);
    this.#options = options;
  }

  /** Never throws and waits for nothing; `settled` does. */
  send(topic: string, body: unknown): void {
    const message = JSON.stringify([topic, body]);
    if (payloadBytes(this.#payload([message])) > maxMessageBytes) {
      this.#skip(new RangeError(`A message about "${topic}" is too long to send.`));
      return;
    }
    this.#waiting.push(message);
    if (this.#waiting.length > maxWaiting) {
      this.#waiting.shift();
      this.#skip(new Error("Too many messages wait for the database; the oldest was dropped."));
    }
    this.#sending ??= this.#drain();
  }

  async settled(): Promise<void> {
    while (this.#sending !== null) await this.#sending;
  }

  /** @returns a function that unsubscribes. */
  on(topic: string, listener: (body: unknown) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** @returns a function that unsubscribes. */
  onMissed(listener: () => void): () => void {
    this.#missedListeners.add(listener);
    return () => void this.#missedListeners.delete(listener);
  }

  async start(): Promise<void> {
    const listener = new Listener(this.#sql, {
      channel,
      onNotification: (text) => this.#receive(text),
      onReconnected: () => this.#notifyMissed(),
    });
    await listener.start();
    this.#listener = listener;
  }

  async stop(): Promise<void> {
    await this.#listener?.stop();
    this.#listener = null;
  }

  async #drain(): Promise<void> {
    // Waits for messages of this turn of the event loop, too.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      await this.#notify(this.#takePayloads());
      if (this.#waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    this.#sending = null;
  }

  /** Retries until it succeeds; listeners recognise repetitions by number. */
  async #notify(payloads: readonly Payload[]): Promise<void> {
    const texts = payloads.map(([, text]) => text);
    for (let attempt = 1; ; attempt++) {
      try {
        // Notifications need no durability, so the commit skips the disk.
        await this.#sql`
          with hasty as materialized (select set_config('synchronous_commit', 'off', true))
          select pg_notify(${channel}, text) from hasty cross join unnest(${texts}::text[]) text`;
        return;
      } catch (error) {
        if (isClosed(error)) return;
        if (attempt === 1) this.#report(error);
        await new Promise((resolve) => setTimeout(resolve, retryMs).unref());
      }
    }
  }

  #takePayloads(): Payload[] {
    const payloads: Payload[] = [];
    while (this.#waiting.length > 0 && payloads.length < maxPayloadsPerStatement) {
      const fitting: string[] = [];
      let bytes = payloadBytes(this.#payload([]));
      for (const message of this.#waiting) {
        bytes += payloadBytes(message) + 1;
        if (bytes > maxPayloadBytes) break;
        fitting.push(message);
      }
      this.#waiting = this.#waiting.slice(fitting.length);
      this.#sent++;
      payloads.push([this.#sent, this.#payload(fitting)]);
    }
    return payloads;
  }

  #payload(messages: readonly string[]): string {
    return `[${[JSON.stringify(this.#sender), this.#sent, ...messages].join(",")}]`;
  }

  /** Skips a number, which tells listeners that a message is missing. */
  #skip(error: unknown): void {
    this.#sent++;
    this.#report(error);
  }

  #receive(text: string): void {
    const parsed = payloadSchema.safeParse(parseJson(text));
    if (!parsed.success) {
      this.#report(new Error("A notification could not be read.", { cause: parsed.error }));
      return;
    }
    const [sender, number, ...messages] = parsed.data;
    const last = this.#lastReceived.get(sender);
    if (sender === this.#sender || (last !== undefined && number <= last)) return;
    if (last !== undefined && number > last + 1) this.#notifyMissed();
    if (this.#lastReceived.size >= maxSendersRemembered) this.#lastReceived.clear();
    this.#lastReceived.set(sender, number);
    for (const [topic, body] of messages) {
      for (const listener of this.#listeners.get(topic) ?? []) this.#call(() => listener(body));
    }
  }

  #notifyMissed(): void {
    this.#lastReceived.clear();
    for (const listener of this.#missedListeners) this.#call(listener);
  }

  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    this.#options.onError?.(error);
  }
}

function payloadBytes(text: string): number {
  return Buffer.byteLength(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "CONNECTION_ENDED";
}
