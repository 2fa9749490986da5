import { useSyncExternalStore } from "react";

export interface Store<State> {
  readonly initial: State;
  read(): State;
  update(next: (present: State) => State): void;
  subscribe(listener: () => void): () => void;
}

export interface KeptOptions<State> {
  readonly name: string;
  readonly parse: (value: unknown) => State | null;
  readonly serialize?: ((state: State) => unknown) | undefined;
  /** `false`: other tabs read the state only when they start. */
  readonly isShared?: boolean | undefined;
  readonly delayMs?: number | undefined;
}

/** With `kept`, the state survives a reload and other tabs see its changes. */
export function createStore<State>(initial: State, kept?: KeptOptions<State>): Store<State> {
  const listeners = new Set<() => void>();
  const isShared = kept !== undefined && kept.isShared !== false;
  let state: State | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes that a full storage lacks are made again on what other tabs store. */
  let unsaved: ((present: State) => State)[] = [];

  const load = () => {
    const stored = kept && readStored(kept.name);
    return stored === undefined || stored === null ? null : kept?.parse(stored);
  };
  const withUnsaved = (stored: State) => unsaved.reduce((present, next) => next(present), stored);
  const read = () => {
    state ??= withUnsaved(load() ?? initial);
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
    if (writeStored(kept.name, serialize(read()))) unsaved = [];
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
  // Closing the tab must not cost the last words.
  const saveWaiting = () => timer !== undefined && save();

  return {
    initial,
    read,
    update(next) {
      // Another tab may have stored a change since; one that waits here is newer.
      const stored = isShared && timer === undefined ? load() : null;
      state = next(stored === null || stored === undefined ? read() : withUnsaved(stored));
      if (kept) unsaved.push(next);
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

/** `select` must return the same value for the same state. */
export function useStore<State>(store: Store<State>): State;
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part;
export function useStore<State, Part>(
  { read, initial, subscribe }: Store<State>,
  select?: (state: State) => Part,
): State | Part {
  const pick = (state: State) => (select ? select(state) : state);
  return useSyncExternalStore(
    subscribe,
    () => pick(read()),
    () => pick(initial),
  );
}

export function readStored(name: string): unknown {
  try {
    const text = localStorage.getItem(storageKey(name));
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** `null` removes the value. A full or forbidden storage is no error. @returns whether it is stored. */
export function writeStored(name: string, value: unknown): boolean {
  try {
    if (value === null) localStorage.removeItem(storageKey(name));
    else localStorage.setItem(storageKey(name), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function storedNames(beginning: string): string[] {
  const start = storageKey("");
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start + beginning))
      .map((key) => key.slice(start.length));
  } catch {
    return [];
  }
}

/** The next person at this browser must find nothing of the last one. */
export function storageKey(name: string): string {
  return `grove:${pageOwner()}:${name}`;
}

/** The owner of this page. Somebody else may have signed in at this browser since. */
export function pageOwner(): string {
  return globalThis.document?.documentElement.dataset.owner ?? "local";
}
