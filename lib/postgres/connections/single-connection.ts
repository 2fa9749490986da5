import { Socket } from "node:net";
import postgres from "postgres";
import { addArrayTypes } from "./array-types";
import { DatabaseConnectionError } from "./database-connection-error";
import type { Send } from "./statement";

export interface SingleConnectionOptions {
  /** Omitted: that of the pool. */
  readonly statementTimeoutMs?: number | undefined;
  readonly onClosed?: (() => void) | undefined;
  readonly onNotification?: ((channel: string, payload: string) => void) | undefined;
}

const defaultEndMs = 1_000;
const defaultConnectTimeoutMs = 10_000;

/**
 * A connection opened by its first statement and never again: one that postgres 3.4.9 reopens inherits unsent bytes and
 * errors, and may wait for ever. Statements in flight fail once the socket is gone.
 */
export class SingleConnection {
  readonly #driver: postgres.Sql;
  readonly #onClosed: (() => void) | undefined;
  readonly #given: Pick<postgres.Sql["options"], "onclose">;
  readonly #settings: object;
  readonly #running = new Set<(error: unknown) => void>();
  #socket: ConnectionSocket | null = null;
  #address: Address | null = null;
  #isClosed = false;

  constructor(pool: Pick<postgres.Sql, "options">, options: SingleConnectionOptions = {}) {
    this.#onClosed = options.onClosed;
    this.#given = pool.options;
    addArrayTypes(pool.options);
    // The driver's types leave out parsed options and these callbacks.
    this.#settings = {
      ...pool.options,
      ...(options.statementTimeoutMs !== undefined && {
        connection: { ...pool.options.connection, statement_timeout: options.statementTimeoutMs },
      }),
      max: 1,
      idle_timeout: 0,
      max_lifetime: null,
      // The driver would end the connection to another server, and open none to the next.
      target_session_attrs: undefined,
      // The driver would ask for the types of arrays, and a failure of that ends the process.
      fetch_types: false,
      onnotify: options.onNotification,
      onclose: () => this.#close(),
      socket: (target: Target) => this.#open(target),
    };
    this.#driver = postgres(this.#settings);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  run<Result>(send: Send<Result>): Promise<Result> {
    return new Promise((resolve, reject) => this.start(send, resolve, reject));
  }

  start<Result>(
    send: Send<Result>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ): void {
    if (this.#isClosed) {
      reject(new DatabaseConnectionError("CONNECTION_CLOSED"));
      return;
    }
    this.#running.add(reject);
    send(this.#driver).then(
      (result) => {
        if (this.#running.delete(reject)) resolve(result);
      },
      (error: unknown) => {
        if (this.#running.delete(reject)) reject(error);
      },
    );
  }

  destroy(reason: unknown = new DatabaseConnectionError("CONNECTION_CLOSED")): void {
    const running = [...this.#running];
    this.#running.clear();
    this.#close();
    for (const reject of running) reject(reason);
    this.#socket?.destroy();
  }

  /** Lets statements in flight finish, for `withinMs` at most. */
  async end(withinMs = defaultEndMs): Promise<void> {
    if (withinMs > 0 && !this.#isClosed) await this.#driver.end({ timeout: withinMs / 1_000 });
    this.destroy(new DatabaseConnectionError("CONNECTION_ENDED"));
  }

  async #open(target: Target): Promise<Socket> {
    if (this.#isClosed) throw new DatabaseConnectionError("CONNECTION_CLOSED");
    if (this.#address) return openToCancel(this.#address, connectTimeoutMs(target));
    let failure: unknown;
    const addresses = addressesOf(target);
    const last = addresses.findIndex((each) => isSame(each, lastWritable.get(this.#given)));
    if (last > 0) addresses.unshift(...addresses.splice(last));
    for (const address of addresses) {
      const socket = new ConnectionSocket(address.host, () => this.#lose(socket));
      this.#socket = socket;
      try {
        if (addresses.length > 1) await assertWritable(address, this.#settings);
        await socket.connectTo(address, connectTimeoutMs(target));
        this.#address = address;
        lastWritable.set(this.#given, address);
        return socket;
      } catch (error) {
        failure = error;
      }
    }
    this.#close();
    // With several addresses the driver would wait for the next one.
    setImmediate(() => this.destroy(failure));
    throw failure;
  }

  /** The driver gives a better reason in this turn of the event loop, or not at all. */
  #lose(socket: ConnectionSocket): void {
    if (!socket.wasConnected || socket !== this.#socket) return;
    this.#close();
    setImmediate(() => this.destroy());
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#onClosed?.();
    // The driver would call it so; it does not number the connections of this pool.
    this.#given.onclose?.(0);
  }
}

/** By pool: a server that is gone for good is not waited for by each connection. */
const lastWritable = new WeakMap<object, Address>();
const askMs = 3_000;

interface Target {
  readonly path?: string | false | undefined;
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly connect_timeout?: number | undefined;
}

type Address =
  | { readonly host: undefined; readonly path: string }
  | { readonly host: string; readonly port: number };

function addressesOf({ path, host: hosts, port: ports }: Target): Address[] {
  if (path) return [{ host: undefined, path }];
  return hosts.map((host, index) => ({ host, port: ports[index] ?? ports[0] ?? 5432 }));
}

function isSame(one: Address, other: Address | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @throws {DatabaseConnectionError} for a standby, and for a server that was made read-only. */
async function assertWritable({ host, ...address }: Address, settings: object): Promise<void> {
  const port = "port" in address ? address.port : undefined;
  const asking = postgres({
    ...settings,
    ...{ host: [host], port: [port], connect_timeout: askMs / 1_000, backoff: false },
    ...{ socket: undefined, onclose: undefined, onnotify: undefined },
  } as object);
  try {
    const [row] = await asking.unsafe("show transaction_read_only");
    if (row?.transaction_read_only !== "off")
      throw new DatabaseConnectionError("NO_WRITABLE_SERVER");
  } finally {
    await asking.end({ timeout: 0 });
  }
}

/** The driver cancels a statement through a second connection. */
async function openToCancel(address: Address, timeoutMs: number): Promise<Socket> {
  const socket = new ConnectionSocket(address.host, () => undefined);
  await socket.connectTo(address, timeoutMs);
  return socket;
}

function connectTimeoutMs({ connect_timeout: seconds }: Target): number {
  return seconds ? seconds * 1_000 : defaultConnectTimeoutMs;
}

/** Tells of its end however it ends; the driver removes listeners. */
class ConnectionSocket extends Socket {
  wasConnected = false;
  readonly #onGone: () => void;

  constructor(
    /** The driver reads it for the name of the server in TLS. */
    readonly host: string | undefined,
    onGone: () => void,
  ) {
    super();
    this.#onGone = onGone;
    this.setNoDelay(true);
  }

  connectTo(address: Address, timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.destroy(new DatabaseConnectionError("CONNECT_TIMEOUT")),
        timeoutMs,
      );
      this.once("error", reject);
      this.once("close", () => clearTimeout(timer));
      this.once("connect", () => {
        clearTimeout(timer);
        this.off("error", reject);
        this.wasConnected = true;
        resolve();
      });
      this.connect(address);
    });
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#onGone();
    super._destroy(error, callback);
  }
}
