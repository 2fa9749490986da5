import type { BlockRef } from "./block-store";
import { InvalidArgumentError } from "./errors";
import type { SessionProvider } from "./session-provider";
import type { MessagesOptions, SessionRegistry, SessionStore } from "./session-store";
import { maxIdLength } from "./stored-body";

/** Returns the argument a store is given. @throws {InvalidArgumentError} */
type Check = (value: unknown, name: string) => unknown;

/** Databases refuse U+0000, so a text with it becomes one that no store has. */
const id: Check = (value, name) => {
  if (typeof value !== "string")
    throw new InvalidArgumentError(`${name} takes an id, a string, not ${kindOf(value)}.`);
  if (!value.includes("\u0000")) return value;
  return value.replaceAll("\u0000", "\ufffd").padEnd(maxIdLength + 1);
};

function kindOf(value: unknown): string {
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

function known(value: string, name: string): string {
  return String(id(value, name));
}

const optionalId: Check = (value, name) => (value === undefined ? value : id(value, name));

const nullableId: Check = (value, name) => (value === null ? value : optionalId(value, name));

const ids: Check = (value, name) => {
  if (!Array.isArray(value))
    throw new InvalidArgumentError(`${name} takes a list of ids, not ${kindOf(value)}.`);
  return value.map((each: unknown) => id(each, name));
};

const count: Check = (value, name) => {
  const isCount =
    value === undefined ||
    (typeof value === "number" &&
      (Number.isInteger(value) || Math.abs(value) === Number.POSITIVE_INFINITY));
  if (!isCount)
    throw new InvalidArgumentError(`${name} takes a whole number, not ${kindOf(value)}.`);
  return value;
};

/** @throws {InvalidArgumentError} for a fraction and `NaN`. */
export function assertCount(value: number | undefined, name: string): void {
  count(value, name);
}

const amount: Check = (value, name) => {
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new InvalidArgumentError(`${name} takes numbers from 0, not ${kindOf(value)}.`);
};

const anything: Check = (value) => value;

function fields(checks: Readonly<Record<string, Check>>): Check {
  return (value, name) => {
    if (typeof value !== "object" || value === null) return value;
    const checked = Object.entries(value).map(([key, each]: [string, unknown]) => {
      const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
      return [key, check ? check(each, name) : each] as const;
    });
    return Object.fromEntries(checked);
  };
}

const limited = fields({ limit: count });
const searched: Check = (value, name) =>
  typeof value === "number" ? count(value, name) : limited(value, name);

const messageChecks: Readonly<Record<string, readonly Check[]>> = {
  getMessage: [id],
  getHistory: [optionalId],
  getBranches: [id],
  getPathLength: [optionalId],
  appendMessage: [anything, nullableId],
  appendMessages: [anything, nullableId],
  deleteMessages: [ids],
  restoreMessages: [id],
  setActiveLeaf: [id],
  continueAfter: [nullableId],
  getLeafUnder: [id],
  getSiblings: [id],
  getWindow: [fields({ limit: count, leafId: optionalId })],
  getRecentHistory: [count, count],
  iterateHistory: [fields({ leafId: optionalId, batchSize: count })],
  getHistoryRowStats: [optionalId],
  setPinned: [id],
  setLabel: [id],
  addCompaction: [anything, id, id],
  replaceCompaction: [id],
  removeCompaction: [id],
  restoreCompaction: [id],
  updateCompaction: [id],
  searchMessages: [anything, searched],
  getLoadedSkills: [optionalId],
};

const registryChecks: Readonly<Record<string, readonly Check[]>> = {
  create: [anything, fields({ parentSessionId: nullableId })],
  get: [id],
  list: [fields({ limit: count, parentSessionId: optionalId })],
  update: [id],
  delete: [id],
  purge: [amount],
  restore: [id, optionalId],
  expire: [amount],
  fork: [id, id],
  forks: [id],
  addUsage: [id, fields({ inputTokens: amount, outputTokens: amount, cost: amount })],
  export: [id],
  search: [anything, limited],
  searchSessions: [anything, limited],
} satisfies Partial<Record<keyof SessionRegistry, readonly Check[]>>;

/** Refuses what no store can keep or count, and lets ids that nothing can have name nothing, alike for all stores. */
export function checkedMessages<Provider extends SessionProvider>(provider: Provider): Provider {
  return checked(provider, messageChecks);
}

/** Sessions and messages of the result check their arguments. One store gives one result. */
export function checkedStore<Store extends SessionStore>(store: Store): Store {
  const made = checkedStores.get(store);
  if (made) return made as Store;
  const sessions = checked(store.sessions, registryChecks);
  const checking = new Proxy(store, {
    get(target, name) {
      if (name === "sessions") return sessions;
      if (name === "messages")
        return (sessionId: string, options?: MessagesOptions) =>
          target.messages(known(sessionId, "A session"), options);
      if (name === "promptCache")
        return (sessionId: string) => target.promptCache(known(sessionId, "A session"));
      if (name === "block")
        return ({ sessionId, ...ref }: BlockRef) =>
          target.block({ ...ref, sessionId: sessionId && known(sessionId, "A session") });
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  checkedStores.set(store, checking);
  checkedStores.set(checking, checking);
  return checking;
}

const checkedStores = new WeakMap<SessionStore, SessionStore>();

function checked<Port extends object>(
  port: Port,
  checks: Readonly<Record<string, readonly Check[]>>,
): Port {
  return new Proxy(port, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      const own =
        typeof name === "string" && Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (!own) return member.bind(target);
      return (...args: unknown[]): unknown =>
        member.apply(
          target,
          args.map((arg, at) => own[at]?.(arg, String(name)) ?? arg),
        );
    },
  });
}
