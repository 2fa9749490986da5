"use client";

import { useCallback, useState } from "react";
import { keep, readKept } from "./kept-state";

/**
 * `useState` that survives unmounting, since a windowed list removes lines and brings them back. `key` names the
 * session and the thing.
 */
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
  // A row keeps its element when a sibling replaces its answer, and the sibling has its own state.
  return [own.key === key ? own.state : readKept(key, initial), set];
}
