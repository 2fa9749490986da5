import type postgres from "postgres";
import { DatabaseConnectionError } from "./database-connection-error";
import { mostAttempts, wasRolledBack } from "./rolled-back";
import { SingleConnection } from "./single-connection";
import type { Send } from "./statement";

export interface PoolLimits {
  readonly max: number;
  /** From asking to the answer, with the wait for a connection; `null` waits for ever. */
  readonly deadlineMs: number | null;
  /** `null` keeps an unused connection. */
  readonly idleMs: number | null;
  /** `null` replaces no connection for its age. */
  readonly lifetimeMs: number | null;
}

interface Request {
  readonly send: Send<unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly askedAt: number;
  readonly endsAt: number;
  attempts: number;
  place: PooledConnection | null;
}

interface PooledConnection {
  readonly connection: SingleConnection;
  readonly openedAt: number;
  idleTimer?: NodeJS.Timeout;
}

const silentDeadlineMs = 3_000;

/**
 * Gives each statement a connection of its own, the most recently used first. A statement without an answer at its
 * deadline costs its connection. When the database is silent, all waiting statements fail at once and one at a time
 * tries. One that the server rolled back in favour of another is sent again.
 */
export class ConnectionPool {
  readonly #driver: Pick<postgres.Sql, "options">;
  readonly #limits: PoolLimits;
  readonly #open = new Set<PooledConnection>();
  #idle: PooledConnection[] = [];
  #waiting: Request[] = [];
  readonly #unanswered = new Set<Request>();
  /** One timer for all: a timer for each took a tenth of a statement's time. */
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Number.POSITIVE_INFINITY;
  #lastAnswerAt = Number.NEGATIVE_INFINITY;
  #isSilent = false;
  #ended: Promise<void> | null = null;
  #drained: (() => void) | null = null;

  constructor(driver: Pick<postgres.Sql, "options">, limits: PoolLimits) {
    this.#driver = driver;
    this.#limits = limits;
  }

  run<Result>(send: Send<Result>): Promise<Result> {
    if (this.#ended !== null)
      return Promise.reject(new DatabaseConnectionError("CONNECTION_ENDED"));
    if (this.#isSilent && this.#open.size > this.#idle.length)
      return Promise.reject(new DatabaseConnectionError("DATABASE_SILENT"));
    const waitMs = this.#limits.deadlineMs ?? Number.POSITIVE_INFINITY;
    return new Promise<Result>((resolve, reject) => {
      const askedAt = performance.now();
      const request: Request = {
        send,
        resolve: resolve as Request["resolve"],
        reject,
        askedAt,
        endsAt: askedAt + (this.#isSilent ? Math.min(silentDeadlineMs, waitMs) : waitMs),
        attempts: 0,
        place: null,
      };
      this.#unanswered.add(request);
      this.#watch(request.endsAt);
      this.#waiting.push(request);
      this.#dispatch();
    });
  }

  end(withinMs: number | null): Promise<void> {
    this.#ended ??= this.#end(withinMs);
    return this.#ended;
  }

  async #end(withinMs: number | null): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    if (this.#open.size > this.#idle.length || this.#waiting.length > 0) {
      await new Promise<void>((done) => {
        this.#drained = done;
        if (withinMs !== null) timer = setTimeout(done, withinMs);
      });
    }
    clearTimeout(timer);
    this.#refuseWaiting(new DatabaseConnectionError("CONNECTION_ENDED"));
    const idle = new Set(this.#idle);
    await Promise.all(
      [...this.#open].map((place) => this.#close(place, idle.has(place) ? undefined : 0)),
    );
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const place = this.#takePlace();
      if (!place) return;
      const request = this.#waiting.shift();
      if (request) this.#give(request, place);
    }
  }

  #takePlace(): PooledConnection | null {
    const idle = this.#idle.pop();
    if (idle) return idle;
    if (this.#open.size >= this.#limits.max) return null;
    const place: PooledConnection = {
      connection: new SingleConnection(this.#driver, { onClosed: () => this.#forget(place) }),
      openedAt: performance.now(),
    };
    this.#open.add(place);
    return place;
  }

  #give(request: Request, place: PooledConnection): void {
    request.place = place;
    request.attempts++;
    place.connection.start(
      request.send,
      (result) => {
        this.#settle(request, place);
        request.resolve(result);
      },
      (error: unknown) => {
        // The server closes the connection after a fatal error, but later.
        if (endsConnection(error)) place.connection.destroy();
        if (wasRolledBack(error) && request.attempts < mostAttempts) {
          this.#repeat(request, place);
          return;
        }
        this.#settle(request, place);
        request.reject(error);
      },
    );
  }

  #settle(request: Request, place: PooledConnection): void {
    this.#unanswered.delete(request);
    this.#release(place);
  }

  /** A statement alone is a transaction, so nothing of it was done. */
  #repeat(request: Request, place: PooledConnection): void {
    request.place = null;
    this.#waiting.push(request);
    this.#release(place);
  }

  #release(place: PooledConnection): void {
    if (!place.connection.isClosed) {
      this.#lastAnswerAt = performance.now();
      this.#isSilent = false;
      this.#keep(place);
    }
    this.#dispatch();
    if (this.#waiting.length === 0 && this.#open.size === this.#idle.length) this.#drained?.();
  }

  #keep(place: PooledConnection): void {
    const { idleMs, lifetimeMs } = this.#limits;
    if (lifetimeMs !== null && performance.now() - place.openedAt > lifetimeMs) {
      void this.#close(place);
      return;
    }
    this.#idle.push(place);
    if (idleMs === null) return;
    if (place.idleTimer) place.idleTimer.refresh();
    else place.idleTimer = setTimeout(() => this.#closeIfIdle(place), idleMs).unref();
  }

  #closeIfIdle(place: PooledConnection): void {
    if (this.#idle.includes(place)) void this.#close(place);
  }

  /** The sockets keep the process alive. */
  #watch(endsAt: number): void {
    if (endsAt >= this.#firesAt) return;
    clearTimeout(this.#timer);
    this.#firesAt = endsAt;
    const waitMs = Math.max(0, endsAt - performance.now());
    this.#timer = setTimeout(() => this.#expireDue(), waitMs).unref();
  }

  #expireDue(): void {
    this.#firesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const request of [...this.#unanswered]) if (request.endsAt <= now) this.#expire(request);
    for (const { endsAt } of this.#unanswered) this.#watch(endsAt);
  }

  #expire(request: Request): void {
    if (!this.#unanswered.delete(request)) return;
    const silent = new DatabaseConnectionError("DATABASE_SILENT");
    this.#waiting = this.#waiting.filter((each) => each !== request);
    request.reject(silent);
    if (this.#lastAnswerAt <= request.askedAt) {
      this.#isSilent = true;
      // Each place that becomes free would be given to a waiting statement.
      this.#refuseWaiting(silent);
      for (const { connection } of [...this.#idle]) connection.destroy(silent);
    }
    request.place?.connection.destroy(silent);
  }

  #refuseWaiting(error: DatabaseConnectionError): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const request of waiting) {
      this.#unanswered.delete(request);
      request.reject(error);
    }
  }

  async #close(place: PooledConnection, withinMs?: number): Promise<void> {
    this.#forget(place);
    await place.connection.end(withinMs);
  }

  #forget(place: PooledConnection): void {
    clearTimeout(place.idleTimer);
    this.#open.delete(place);
    this.#idle = this.#idle.filter((each) => each !== place);
    this.#dispatch();
  }
}

/** A server that takes no writes may be a standby now, and the next connection finds the one that does. */
const readOnly = "25006";

function endsConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { severity, code } = error as Error & { severity?: unknown; code?: unknown };
  return severity === "FATAL" || code === readOnly;
}
