"use client";

import { useEffect, useState } from "react";
import { storageKey } from "@/app/_ui/store";

/** The newest change of the leaf in this tab's address. */
interface Move {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

const name = "moved-leaf";

/** For a reload that began before: it opens the earlier leaf, which may lack what was just sent. */
export function noteMove(from: string | null, to: string | null): void {
  const move: Move = { path: location.pathname, from, to };
  withStorage((storage) => storage.setItem(storageKey(name), JSON.stringify(move)));
}

/** Once the person has gone elsewhere, an address means what it says. */
export function forgetMove(): void {
  withStorage((storage) => storage.removeItem(storageKey(name)));
}

/** Of the document's first page alone. */
let missed = moveBeforeReload();

/** The move that a reload of the page with `leaf` has missed, until the address names its end. */
export function useMissedMove(leaf: string | null): Pick<Move, "to"> | null {
  const [move, setMove] = useState(missed);
  const isMissed = move !== null && move.path === location.pathname && move.from === leaf;
  useEffect(() => {
    missed = null;
    if (!isMissed) setMove(null);
  }, [isMissed]);
  return isMissed ? move : null;
}

function moveBeforeReload(): Move | null {
  if (typeof window === "undefined") return null;
  const [navigation] = performance.getEntriesByType("navigation");
  if ((navigation as PerformanceNavigationTiming | undefined)?.type !== "reload") return null;
  const read = (storage: Storage): Move | null =>
    JSON.parse(storage.getItem(storageKey(name)) ?? "null");
  return withStorage(read) ?? null;
}

/** `undefined` where the browser blocks it, or it holds something else. */
function withStorage<Result>(act: (storage: Storage) => Result): Result | undefined {
  try {
    return act(sessionStorage);
  } catch {
    return undefined;
  }
}
