import { setTimeout as delay } from "node:timers/promises";
import { ownConnection } from "./own-connection";
import { identifier, type Sql } from "./sql";
import { connectionsBelow } from "./statement";

export interface ListenerOptions {
  readonly channel: string;
  onNotification(payload: string): void;
  onReconnected(): void;
}

const checkEveryMs = 10_000;
const answerWithinMs = 5_000;
const retryMs = 500;

/** Listens on a connection of its own, and replaces it when it stops answering. */
export class Listener {
  readonly #pool: Sql;
  readonly #options: ListenerOptions;
  readonly #stopping = new AbortController();
  readonly #end = () => this.stop();
  #watching: Promise<void> | null = null;

  constructor(pool: Sql, options: ListenerOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  /** Listens until `stop`, or the end of the pool. @throws when the first connection fails. */
  async start(): Promise<void> {
    const first = await this.#listen();
    this.#watching ??= this.#watch(first);
    connectionsBelow(this.#pool).dependents.add(this.#end);
  }

  async stop(): Promise<void> {
    connectionsBelow(this.#pool).dependents.delete(this.#end);
    this.#stopping.abort();
    await this.#watching;
  }

  async #watch(first: Listening): Promise<void> {
    const { signal } = this.#stopping;
    let listening: Listening | null = first;
    while (!signal.aborted) {
      if (listening) await answersUntilLost(listening, signal);
      await listening?.sql.end({ timeout: 0 });
      await pause(listening ? 0 : retryMs, signal);
      if (signal.aborted) return;
      // Statements of the pool report the failure.
      listening = await this.#listen().catch(() => null);
      if (listening) this.#options.onReconnected();
    }
  }

  async #listen(): Promise<Listening> {
    const lost = new AbortController();
    const sql = ownConnection(this.#pool, {
      deadlineMs: answerWithinMs,
      onNotification: (_channel, payload) => this.#options.onNotification(payload),
      onClosed: () => lost.abort(),
    });
    try {
      await sql`listen ${identifier(this.#options.channel)}`;
      return { sql, lost: lost.signal };
    } catch (error) {
      await sql.end({ timeout: 0 });
      throw error;
    }
  }
}

interface Listening {
  readonly sql: Sql;
  readonly lost: AbortSignal;
}

async function answersUntilLost({ sql, lost }: Listening, stopping: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([lost, stopping]);
  while (!signal.aborted) {
    await pause(checkEveryMs, signal);
    if (signal.aborted) return;
    const isAnswered = await sql`select 1`.then(
      () => true,
      () => false,
    );
    if (!isAnswered) return;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
