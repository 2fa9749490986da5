"use client";

import { useCallback, useState } from "react";
import { keep, readKept } from "./kept-state";

/**
 * `useState` for what a person opened or chose in a line of the transcript. A windowed list takes lines off the page and
 * brings them back, so what they were set to must not live in them. `key` names the session and the thing.
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
  // A line keeps its element when an answer gives way to a sibling, which has a state of its own.
  return [own.key === key ? own.state : readKept(key, initial), set];
}
