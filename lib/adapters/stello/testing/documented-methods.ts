import type { SessionStorage } from "../index";

/** The storage without optional methods. */
export function documentedMethods(storage: SessionStorage): SessionStorage {
  const names = [
    "getSession",
    "putSession",
    "appendRecord",
    "listRecords",
    "trimRecords",
    "getSystemPrompt",
    "putSystemPrompt",
    "getInsight",
    "putInsight",
    "clearInsight",
    "getMemory",
    "putMemory",
    "transaction",
  ] as const;
  const methods = names.map((name) => [name, storage[name].bind(storage)] as const);
  return Object.fromEntries(methods) as unknown as SessionStorage;
}
