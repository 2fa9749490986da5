import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createStore, createStores, readStored, writeStored } from "./store";

const kept = new Map<string, string>();
const page = new EventTarget();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("document", { documentElement: { dataset: { owner: "ann" } } });
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const list = (delayMs?: number) =>
  createStore<readonly string[]>([], {
    name: "list",
    parse: (value) => (Array.isArray(value) ? value : null),
    serialize: (state) => (state.length === 0 ? null : state),
    delayMs,
  });
const stored = (key: string) =>
  page.dispatchEvent(Object.assign(new Event("storage"), { key: `grove:ann:${key}` }));

describe("createStore", () => {
  test("notifies listeners until they unsubscribe", () => {
    const store = createStore(0);
    const seen: number[] = [];
    const end = store.subscribe(() => seen.push(store.read()));
    store.update((count) => count + 1);
    end();
    store.update((count) => count + 1);
    expect(seen).toEqual([1]);
    expect(store.read()).toBe(2);
  });

  test("keeps its state under the owner, and removes what serializes to null", () => {
    list().update(() => ["a"]);
    expect([...kept]).toEqual([["grove:ann:list", '["a"]']]);
    expect(list().read()).toEqual(["a"]);
    list().update(() => []);
    expect(kept.size).toBe(0);
  });

  test("what a full storage has no room for stays, also when it or another tab changes the rest", () => {
    list().update(() => ["a"]);
    const one = list();
    const end = one.subscribe(() => undefined);
    vi.stubGlobal("localStorage", {
      ...localStorage,
      setItem: () => {
        throw new Error("QuotaExceededError");
      },
    });
    one.update((items) => [...items, "b"]);
    kept.set("grove:ann:list", '["a","other"]');
    stored("list");
    expect(one.read()).toEqual(["a", "other", "b"]);
    one.update((items) => items.filter((item) => item !== "a"));
    expect(one.read()).toEqual(["other", "b"]);
    vi.stubGlobal("localStorage", {
      ...localStorage,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
    one.update((items) => [...items, "c"]);
    expect(list().read()).toEqual(["other", "b", "c"]);
    end();
  });

  test("changes what another tab stored since", () => {
    const [one, other] = [list(), list()];
    expect(one.read()).toEqual([]);
    other.update((items) => [...items, "other"]);
    one.update((items) => [...items, "one"]);
    expect(list().read()).toEqual(["other", "one"]);
  });

  test("follows other tabs while somebody listens", () => {
    const store = list();
    let calls = 0;
    const end = store.subscribe(() => (calls += 1));
    expect(store.read()).toEqual([]);
    kept.set("grove:ann:list", '["elsewhere"]');
    stored("something-else");
    stored("list");
    end();
    stored("list");
    expect(store.read()).toEqual(["elsewhere"]);
    expect(calls).toBe(1);
  });

  test("keeps its own state while another tab stores another, unless it is shared", () => {
    const text = () =>
      createStore("", {
        name: "list",
        parse: (value) => (typeof value === "string" ? value : null),
        isShared: false,
      });
    const [here, elsewhere] = [text(), text()];
    const end = here.subscribe(() => undefined);
    here.update(() => "typed here");
    elsewhere.update(() => "typed elsewhere");
    stored("list");
    expect(here.read()).toBe("typed here");
    end();
  });

  test.each([["not json"], ['{"no":"list"}']])("starts empty where %j is stored", (text) => {
    kept.set("grove:ann:list", text);
    expect(list().read()).toEqual([]);
  });

  test("stores delayed changes when the page goes", () => {
    vi.useFakeTimers();
    const store = list(250);
    store.subscribe(() => undefined);
    store.update(() => ["typed"]);
    expect(kept.size).toBe(0);
    page.dispatchEvent(new Event("pagehide"));
    expect(readStored("list")).toEqual(["typed"]);
    store.update(() => ["typed more"]);
    vi.advanceTimersByTime(250);
    expect(readStored("list")).toEqual(["typed more"]);
  });

  test("holds its state where nothing can be stored", () => {
    vi.stubGlobal("localStorage", undefined);
    const store = list();
    store.update(() => ["a"]);
    expect(store.read()).toEqual(["a"]);
    expect(readStored("list")).toBeNull();
    expect(() => writeStored("list", 1)).not.toThrow();
  });
});

test("createStores makes one store for each name", () => {
  const drafts = createStores(() => createStore(""));
  expect(drafts("a")).toBe(drafts("a"));
  expect(drafts("a")).not.toBe(drafts("b"));
});
