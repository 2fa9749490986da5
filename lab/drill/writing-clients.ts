import { setTimeout as delay } from "node:timers/promises";
import { type Session, SessionManager } from "grove-session";
import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { DatabaseConnections } from "@/lib/server/database-connections";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import type { DrillResult } from "./drill";
import { type Slowdown, whileMeasuring } from "./slowdown";

interface Client {
  readonly session: Session;
  readonly acknowledged: string[];
}

interface Requests {
  count: number;
  failed: number;
  longestMs: number;
  hung: number;
  unexpected: Set<string>;
}

const ownerId = "drill";
const hungAfterMs = 20_000;
const pauseAfterFailureMs = 20;
const asksEveryMs = 10;
const givesUpAfterMs = 60_000;

/** Writes from `clients` clients while `disturb` runs, and judges every request and every message. */
export function whileWriting(
  connections: DatabaseConnections,
  { clients, longestRequestMs }: { clients: number; longestRequestMs: number },
  disturb: (slowdown: Slowdown) => Promise<DrillResult>,
): Promise<DrillResult> {
  return whileMeasuring(async (slowdown) => {
    const writing = await WritingClients.start(connections, clients);
    const { broken, figures } = await disturb(slowdown).finally(() => writing.stop());
    return {
      broken: [
        ...writing.problems({ longestRequestMs: longestRequestMs * slowdown.most }),
        ...broken,
        ...(await writing.differences(connections.sql)),
      ],
      figures: { ...writing.figures, ...figures },
    };
  });
}

class WritingClients {
  readonly requests: Requests = {
    count: 0,
    failed: 0,
    longestMs: 0,
    hung: 0,
    unexpected: new Set(),
  };
  readonly #clients: readonly Client[];
  readonly #runs: PostgresRunStore;
  readonly #uncaught = new UncaughtErrors();
  #isWriting = true;
  readonly #done: Promise<unknown>;

  private constructor({ sql, chunkSql }: DatabaseConnections, clients: readonly Client[]) {
    this.#clients = clients;
    this.#runs = new PostgresRunStore({ sql, chunks: chunkSql, ownerId });
    this.#done = Promise.all(clients.map((client) => this.#write(client)));
  }

  static async start(connections: DatabaseConnections, count: number): Promise<WritingClients> {
    const manager = SessionManager.create(new PostgresSessionStore(connections.sql, ownerId));
    const clients: Client[] = [];
    for (let index = 0; index < count; index++) {
      const { id } = await manager.create(`Client ${index}`);
      clients.push({ session: manager.getSession(id), acknowledged: [] });
    }
    return new WritingClients(connections, clients);
  }

  private get acknowledged(): number {
    return this.#clients.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  get figures(): Record<string, number> {
    const { count, failed, longestMs, hung } = this.requests;
    return {
      requests: count,
      failed,
      hung,
      "uncaught errors": this.#uncaught.messages.length,
      "acknowledged messages": this.acknowledged,
      "longest request (ms)": longestMs,
    };
  }

  problems({ longestRequestMs }: { longestRequestMs: number }): string[] {
    const { longestMs, hung, unexpected } = this.requests;
    return [
      ...[...unexpected].map((error) => `A request failed with ${error}.`),
      ...(longestMs > longestRequestMs
        ? [
            `A request took ${Math.round(longestMs)} ms; ${Math.round(longestRequestMs)} ms are allowed.`,
          ]
        : []),
      ...(hung > 0 ? [`${hung} requests were never answered.`] : []),
      ...this.#uncaught.messages.map((message) => `Nobody caught ${message}.`),
    ];
  }

  async stop(): Promise<void> {
    this.#isWriting = false;
    await this.#done;
    this.#uncaught.end();
  }

  /** Compares the messages stored with those acknowledged. @returns a sentence for each difference. */
  async differences(sql: Sql): Promise<string[]> {
    const manager = SessionManager.create(new PostgresSessionStore(sql, ownerId));
    const found = await Promise.all(
      this.#clients.map(async ({ session, acknowledged }) => {
        const stored = (await manager.getHistory(session.id)).map(({ id }) => id);
        const [row] = await sql<[{ messages: number }]>`
          select count(*)::int as messages from chat_message
          where owner_id = ${ownerId} and session_id = ${session.id}`;
        const lost = acknowledged.filter((id) => !stored.includes(id));
        return [
          ...lost.map((id) => `Message ${id} was acknowledged and is lost.`),
          ...(row.messages > acknowledged.length
            ? [`${session.id} holds ${row.messages} messages of ${acknowledged.length} written.`]
            : []),
          ...(lost.length === 0 && stored.join() !== acknowledged.join()
            ? [`The messages of ${session.id} are in another order.`]
            : []),
        ];
      }),
    );
    return found.flat();
  }

  async #write({ session, acknowledged }: Client): Promise<void> {
    for (let turn = 0; this.#isWriting; turn++) {
      const message = {
        id: crypto.randomUUID(),
        role: turn % 2 === 0 ? ("user" as const) : ("assistant" as const),
        parts: [{ type: "text", text: `Turn ${turn} of ${session.id}.` }],
      };
      // Repeated until it is acknowledged, also after the drill's end: else nothing tells if it is stored.
      await this.#untilAnswered(() => session.appendMessage(message));
      acknowledged.push(message.id);
      await this.#untilAnswered(() => this.#runs.appendChunks(session.id, turn, [message]));
      await this.#untilAnswered(() => session.getModelHistory());
      await this.#untilAnswered(() => this.#runs.running(session.id));
    }
  }

  async #untilAnswered(act: () => Promise<unknown>): Promise<void> {
    while (!(await this.#request(act))) await delay(pauseAfterFailureMs);
  }

  async #request(act: () => Promise<unknown>): Promise<boolean> {
    const startedAt = performance.now();
    this.requests.count++;
    const giveUp = new AbortController();
    const hung = delay(hungAfterMs, "hung" as const, { signal: giveUp.signal }).catch(() => "hung");
    const answer = act().then(
      () => "answered",
      (error: unknown) => {
        if (!isDatabaseAway(error)) this.requests.unexpected.add(String(error));
        return "failed";
      },
    );
    const end = await Promise.race([answer, hung]);
    giveUp.abort();
    if (end === "hung") this.requests.hung++;
    if (end !== "answered") this.requests.failed++;
    this.requests.longestMs = Math.max(this.requests.longestMs, performance.now() - startedAt);
    return end === "answered";
  }
}

/** Resolves when both pools answer, or after a minute. */
export async function timeUntilHealthy({ sql, chunkSql }: DatabaseConnections): Promise<number> {
  const startedAt = performance.now();
  const waited = () => performance.now() - startedAt;
  for (const pool of [sql, chunkSql]) {
    while (!(await answers(pool)) && waited() < givesUpAfterMs) await delay(asksEveryMs);
  }
  return waited();
}

export function healthResult(longestMs: number, healthyWithinMs: number): DrillResult {
  const isLate = longestMs > healthyWithinMs;
  return {
    broken: isLate
      ? [`Grove was unhealthy ${Math.round(longestMs)} ms after the database was back.`]
      : [],
    figures: { "longest time to health (ms)": longestMs },
  };
}

function answers(pool: Sql): Promise<boolean> {
  return pool`select 1`.then(
    () => true,
    () => false,
  );
}

/** Collects the errors nobody caught, which end a plain Node process. */
class UncaughtErrors {
  readonly messages: string[] = [];
  readonly #add = (error: unknown) => void this.messages.push(String(error));

  constructor() {
    process.on("unhandledRejection", this.#add);
    process.on("uncaughtException", this.#add);
  }

  end(): void {
    process.off("unhandledRejection", this.#add);
    process.off("uncaughtException", this.#add);
  }
}
