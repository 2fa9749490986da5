"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { storageKey } from "@/app/_ui/store";

export interface SessionLink {
  readonly leaf: string | null;
  readonly hit: string | null;
  readonly inSummary: boolean;
}

export interface SessionUrl {
  readonly start: SessionLink;
  readonly replaceLeaf: (leaf: string | null) => void;
  readonly pushLeaf: (leaf: string | null, from: string | null) => void;
  readonly link: SessionLink;
  readonly known: React.RefObject<SessionLink>;
}

export function useSessionUrl(): SessionUrl {
  const link = useLink();
  const start = useRef(link);
  const known = useRef(link);
  const methods = useMemo(() => leafWriters(known), []);
  return { start: start.current, link, known, ...methods };
}

function useLink(): SessionLink {
  const link = linkOf(useSearchParams());
  const missed = useMissedMove(link.leaf);
  useEffect(() => {
    if (missed) history.replaceState(null, "", addressOf(missed.to));
  }, [missed]);
  return missed ? { ...link, leaf: missed.to } : link;
}

function linkOf(parameters: Pick<URLSearchParams, "get">): SessionLink {
  return {
    leaf: parameters.get("leaf"),
    hit: parameters.get("hit"),
    inSummary: parameters.get("place") === "summary",
  };
}

function leafWriters(known: SessionUrl["known"]): Pick<SessionUrl, "replaceLeaf" | "pushLeaf"> {
  function take(leaf: string | null): boolean {
    if (known.current.leaf === leaf && known.current.hit === null) return false;
    noteMove(known.current.leaf, leaf);
    known.current = { leaf, hit: null, inSummary: false };
    return true;
  }
  function replaceLeaf(leaf: string | null): void {
    if (take(leaf)) history.replaceState(null, "", addressOf(leaf));
  }
  return {
    replaceLeaf,
    pushLeaf(leaf, from) {
      if (leaf === from) return replaceLeaf(leaf);
      const { leaf: named, hit } = known.current;
      if (!take(leaf)) return;
      // Without a leaf the URL opens the last used branch, which is about to change. With the router's own state this changes
      // only the history entry.
      if (named === null && hit === null) history.replaceState(history.state, "", addressOf(from));
      history.pushState(null, "", addressOf(leaf));
    },
  };
}

function addressOf(leaf: string | null): string {
  return leaf === null ? location.pathname : `?leaf=${encodeURIComponent(leaf)}`;
}

interface FollowedLinkOptions {
  readonly sessionId: string;
  readonly onFollow: (link: SessionLink) => void;
}

export function useFollowedLink(
  { link, known }: SessionUrl,
  { sessionId, onFollow }: FollowedLinkOptions,
): void {
  const follow = useEffectEvent((next: SessionLink) => {
    if (known.current.leaf === next.leaf && known.current.hit === next.hit) return;
    known.current = next;
    forgetMove();
    onFollow(next);
  });
  const { leaf, hit, inSummary } = link;
  useEffect(() => follow({ leaf, hit, inSummary }), [leaf, hit, inSummary]);
  useEffect(() => {
    // Back to the address before one that the router has not rendered yet changes nothing for it.
    const onReturn = () => {
      if (location.pathname === sessionAddress(sessionId))
        follow(linkOf(new URLSearchParams(location.search)));
    };
    addEventListener("popstate", onReturn);
    return () => removeEventListener("popstate", onReturn);
  }, [sessionId]);
}

interface MissedMove {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

const moveName = "moved-leaf";

/** A reload begun before this move may lack the message just sent. */
function noteMove(from: string | null, to: string | null): void {
  const move: MissedMove = { path: location.pathname, from, to };
  withStorage((storage) => storage.setItem(storageKey(moveName), JSON.stringify(move)));
}

function forgetMove(): void {
  withStorage((storage) => storage.removeItem(storageKey(moveName)));
}

let missed = moveBeforeReload();

function useMissedMove(leaf: string | null): Pick<MissedMove, "to"> | null {
  const [move, setMove] = useState(missed);
  const isMissed = move !== null && move.path === location.pathname && move.from === leaf;
  useEffect(() => {
    missed = null;
    if (!isMissed) setMove(null);
  }, [isMissed]);
  return isMissed ? move : null;
}

function moveBeforeReload(): MissedMove | null {
  if (typeof window === "undefined") return null;
  const [navigation] = performance.getEntriesByType("navigation");
  if ((navigation as PerformanceNavigationTiming | undefined)?.type !== "reload") return null;
  const read = (storage: Storage): MissedMove | null =>
    JSON.parse(storage.getItem(storageKey(moveName)) ?? "null");
  return withStorage(read) ?? null;
}

function withStorage<Result>(act: (storage: Storage) => Result): Result | undefined {
  try {
    return act(sessionStorage);
  } catch {
    return undefined;
  }
}
