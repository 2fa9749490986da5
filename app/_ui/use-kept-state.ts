"use client";

import { useCallback, useState } from "react";

/** Keeps state that survives unmounting by a windowed list. `key` names the session and the thing. */
export function useKeptState<State>(
  key: string,
  initial: State,
): readonly [State, (state: State) => void] {
  const [own, setOwn] = useState(() => ({ key, state: readKept(key, initial) }));
  const set = useCallback(
    (state: State) => {
      keep(key, state);
      setOwn({ key, state });
    },
    [key],
  );
  // A row keeps its element when a sibling replaces its answer.
  return [own.key === key ? own.state : readKept(key, initial), set];
}

/** More than a person opens in a day. */
const KEPT_STATES = 2_000;

const states = new Map<string, unknown>();

export function readKept<State>(key: string, initial: State): State {
  return states.has(key) ? (states.get(key) as State) : initial;
}

export function keep(key: string, state: unknown): void {
  states.delete(key);
  states.set(key, state);
  const oldest = states.keys().next().value;
  if (states.size > KEPT_STATES && oldest !== undefined) states.delete(oldest);
}
