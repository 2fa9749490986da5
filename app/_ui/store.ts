import { useSyncExternalStore } from "react";

/** State outside React that components subscribe to. */
export interface Store<State> {
  /** The state before the browser is known: what the server renders. */
  readonly initial: State;
  read(): State;
  /** Sets the state that `next` makes of the present one. */
  update(next: (present: State) => State): void;
  subscribe(listener: () => void): () => void;
}

export interface KeptOptions<State> {
  /** Names the value in this browser, for the person who uses it now. */
  readonly name: string;
  /** The state from stored JSON; `null` when it is not one. */
  readonly parse: (value: unknown) => State | null;
  /** The JSON to store; `null` removes it. Omitted: the state itself. */
  readonly serialize?: ((state: State) => unknown) | undefined;
  /** `false`: other tabs read it when they start, and do not follow. Default `true`. */
  readonly isShared?: boolean | undefined;
  /** Collects changes this long before they are stored. Omitted: each is stored at once. */
  readonly delayMs?: number | undefined;
}

/** Makes a store; with `kept` it survives a reload, and other tabs see its changes. */
export function createStore<State>(initial: State, kept?: KeptOptions<State>): Store<State> {
  const listeners = new Set<() => void>();
  const isShared = kept !== undefined && kept.isShared !== false;
  let state: State | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const load = () => {
    const stored = kept && readStored(kept.name);
    return stored === undefined || stored === null ? null : kept?.parse(stored);
  };
  const read = () => {
    state ??= load() ?? initial;
    return state;
  };
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!kept) return;
    const serialize = kept.serialize ?? ((value: State) => value);
    writeStored(kept.name, serialize(read()));
  };
  const saveSoon = () => {
    if (!kept?.delayMs) return save();
    timer ??= setTimeout(save, kept.delayMs);
  };
  const followOtherTabs = ({ key }: StorageEvent) => {
    if (!isShared || key !== storageKey(kept.name) || timer !== undefined) return;
    state = undefined;
    notify();
  };
  // Closing the tab right after typing must not cost the last words.
  const saveWaiting = () => timer !== undefined && save();

  return {
    initial,
    read,
    update(next) {
      // Another tab may have stored a change since; one that waits here is newer.
      state = next(isShared && timer === undefined ? (load() ?? read()) : read());
      saveSoon();
      notify();
    },
    subscribe(listener) {
      if (kept && listeners.size === 0) {
        addEventListener("storage", followOtherTabs);
        addEventListener("pagehide", saveWaiting);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (!kept || listeners.size > 0) return;
        saveWaiting();
        removeEventListener("storage", followOtherTabs);
        removeEventListener("pagehide", saveWaiting);
      };
    },
  };
}

/** One store for each name, made on first use. */
export function createStores<State>(
  make: (name: string) => Store<State>,
): (name: string) => Store<State> {
  const stores = new Map<string, Store<State>>();
  return (name) => {
    const store = stores.get(name) ?? make(name);
    stores.set(name, store);
    return store;
  };
}

/** The part of a store's state that `select` picks. It must return the same value for the same state. */
export function useStore<State, Part = State>(
  { read, initial, subscribe }: Store<State>,
  select: (state: State) => Part = (state) => state as unknown as Part,
): Part {
  return useSyncExternalStore(
    subscribe,
    () => select(read()),
    () => select(initial),
  );
}

/** A value kept in this browser; `null` when it is missing or cannot be read. */
export function readStored(name: string): unknown {
  try {
    const text = localStorage.getItem(storageKey(name));
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Keeps `value` in this browser; `null` removes it. A full or forbidden storage is no error: the page still holds the
 * value, which then does not survive a reload.
 */
export function writeStored(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(storageKey(name));
    else localStorage.setItem(storageKey(name), JSON.stringify(value));
  } catch {}
}

/** Keys carry the owner, so that the next person at this browser finds nothing of the last one. */
function storageKey(name: string): string {
  return `grove:${document.documentElement.dataset.owner ?? "local"}:${name}`;
}
