import { checkedMessages, checkedStore } from "./checked-arguments";
import { compactionIdOf } from "./compaction-message";
import { asEmittingStore, type Emit, emitting, messageEvents, providerEvents } from "./emitting";
import { InvalidArgumentError, MessageNotFoundError, NotSupportedError } from "./errors";
import type { SessionEvents, Usage } from "./events";
import {
  type Compaction,
  type CompactionMetadata,
  isTreeProvider,
  type MaybePromise,
  type SessionProvider,
  type SessionTreeProvider,
} from "./session-provider";
import { isSessionStore, type SessionStore } from "./session-store";

export type SessionSource = SessionProvider | SessionStore;

export interface SessionStorageOptions {
  readonly id: string;
  readonly createsSession: boolean;
  readonly refusesArchived?: boolean | undefined;
}

const coreMethods: Readonly<Record<keyof SessionProvider, true>> = {
  ...{ getMessage: true, getHistory: true, getLatestLeaf: true, getBranches: true },
  ...{ getPathLength: true, appendMessage: true, updateMessage: true, deleteMessages: true },
  ...{ clearMessages: true, addCompaction: true, getCompactions: true, searchMessages: true },
};

export function assertSource(source: unknown): asserts source is SessionSource {
  const isObject = typeof source === "object" && source !== null;
  const isProvider = isObject && ("appendMessage" in source || "getHistory" in source);
  if (isProvider || (isObject && isSessionStore(source))) return;
  throw new InvalidArgumentError(
    "A session needs a SessionStore, such as PostgresSessionStore, or a SessionProvider to store its messages.",
  );
}

interface MessageRange {
  readonly fromId: string;
  readonly toId: string;
}

/** Each outermost write emits one `save` event. */
export class SessionStorage {
  readonly id: string;
  readonly source: object;
  readonly store: SessionStore | null;
  readonly events: SessionEvents;
  readonly provider: SessionProvider;
  readonly #createsSession: boolean;
  #creation: Promise<unknown> | null = null;
  #revision = 0;
  #writesUnderWay = 0;
  #savedIds: Set<string> | null = null;

  constructor(
    source: SessionSource,
    { id, createsSession, refusesArchived }: SessionStorageOptions,
  ) {
    this.id = id;
    this.#createsSession = createsSession;
    if (isSessionStore(source)) {
      const store = checkedStore(asEmittingStore(source));
      this.store = store;
      this.source = store;
      this.events = store.events;
      this.provider = this.#completed(store.messages(id, { refusesArchived }), this.note);
    } else {
      this.store = null;
      this.source = source;
      this.events = providerEvents(source);
      this.provider = this.#completed(source, this.emit);
    }
  }

  #completed(provider: SessionProvider, emit: Emit): SessionProvider {
    const events = messageEvents(this.id);
    const methods = isTreeProvider(provider) ? events : coreMethods;
    return checkedMessages(refusingMissing(emitting(provider, events, emit), methods));
  }

  /** Increases with every change of the tree other than an append. */
  get revision(): number {
    return this.#revision;
  }

  readonly note: Emit = (event) => {
    this.#savedIds ??= new Set();
    if ("messageId" in event && event.messageId !== null) this.#savedIds.add(event.messageId);
  };

  readonly emit: Emit = (event) => {
    this.events.emit(event);
    this.note(event);
  };

  /** Creates the session the first time; after a failure the next write retries. */
  readonly prepare = async (): Promise<void> => {
    if (!this.#createsSession || !this.store) return;
    this.#creation ??= this.store.sessions
      .create("New session", { id: this.id })
      .catch((error: unknown) => {
        this.#creation = null;
        throw error;
      });
    await this.#creation;
  };

  tree(operation: string): SessionTreeProvider {
    if (!isTreeProvider(this.provider)) throw new NotSupportedError(operation);
    return this.provider;
  }

  async changeTree<Result>(
    operation: string,
    write: (tree: SessionTreeProvider) => Promise<Result>,
  ): Promise<Result> {
    return this.change(() => write(this.tree(operation)));
  }

  /**
   * The documented core only knows stored messages. @throws {MessageNotFoundError} for an unknown end. @throws
   * {InvalidArgumentError} for a blank summary.
   */
  async addCompaction(
    summary: string,
    range: MessageRange,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    assertNotBlank(summary);
    const { provider } = this;
    return this.change(async () => {
      const { fromId, toId } = isTreeProvider(provider)
        ? range
        : await storedRange(provider, range);
      return provider.addCompaction(summary, fromId, toId, metadata);
    });
  }

  async replaceCompaction(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    assertNotBlank(summary);
    return this.changeTree("exchanging a summary", (tree) =>
      tree.replaceCompaction(compactionId, summary, metadata),
    );
  }

  /** Nested and concurrent writes share one `save` event at their end. */
  async save<Result>(write: () => MaybePromise<Result>): Promise<Result> {
    this.#writesUnderWay++;
    try {
      return await write();
    } finally {
      this.#writesUnderWay--;
      if (this.#writesUnderWay === 0) this.#emitSave();
    }
  }

  async change<Result>(write: () => MaybePromise<Result>): Promise<Result> {
    return this.save(async () => {
      await this.prepare();
      const result = await write();
      this.#revision++;
      return result;
    });
  }

  async addUsage(usage: Usage): Promise<void> {
    const event = { type: "usage", sessionId: this.id, ...usage } as const;
    await this.save(async () => {
      await this.prepare();
      if (this.store) await this.store.sessions.addUsage(this.id, usage);
      else this.events.emit(event);
      this.note(event);
    });
  }

  #emitSave(): void {
    if (this.#savedIds === null) return;
    const messageIds = [...this.#savedIds];
    this.#savedIds = null;
    this.events.emit({ type: "save", sessionId: this.id, messageIds });
  }
}

/** Calling a method in `methods` that the object lacks throws `NotSupportedError`. */
export function refusingMissing<Port extends object>(
  port: Port,
  methods: Readonly<Partial<Record<keyof Port, unknown>>>,
): Port {
  const missing = Object.keys(methods).filter((name) => !isFunction(Reflect.get(port, name)));
  if (missing.length === 0) return port;
  return new Proxy(port, {
    get(target, name) {
      const lacked = missing.find((each) => each === name);
      if (lacked === undefined) return Reflect.get(target, name, target);
      return () => {
        throw new NotSupportedError(lacked);
      };
    },
  });
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

async function storedRange(
  provider: SessionProvider,
  { fromId, toId }: MessageRange,
): Promise<MessageRange> {
  const compactions = await provider.getCompactions();
  const summaryOf = (id: string) => compactions.find((each) => each.id === compactionIdOf(id));
  const range = {
    fromId: summaryOf(fromId)?.fromMessageId ?? fromId,
    toId: summaryOf(toId)?.toMessageId ?? toId,
  };
  for (const id of [range.fromId, range.toId])
    if (!(await provider.getMessage(id))) throw new MessageNotFoundError(id);
  return range;
}

function assertNotBlank(summary: string): void {
  if (summary.trim() === "") throw new InvalidArgumentError("A summary is not blank.");
}
