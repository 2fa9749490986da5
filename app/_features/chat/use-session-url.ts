"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useEffectEvent, useMemo, useRef } from "react";

export interface SessionLink {
  readonly leaf: string | null;
  readonly hit: string | null;
  /** The hit is in the summary that ends with this message. */
  readonly inSummary: boolean;
}

export interface SessionUrl {
  readonly start: SessionLink;
  /** Replaces the address. */
  readonly replaceLeaf: (leaf: string | null) => void;
  /** Back then returns to `from`, the leaf that was in view. */
  readonly pushLeaf: (leaf: string | null, from: string | null) => void;
  readonly link: SessionLink;
  readonly known: React.RefObject<SessionLink>;
}

export function useSessionUrl(): SessionUrl {
  const parameters = useSearchParams();
  const link: SessionLink = {
    leaf: parameters.get("leaf"),
    hit: parameters.get("hit"),
    inSummary: parameters.get("place") === "summary",
  };
  const start = useRef(link);
  const known = useRef(link);
  const methods = useMemo(() => leafWriters(known), []);
  return { start: start.current, link, known, ...methods };
}

function leafWriters(known: SessionUrl["known"]): Pick<SessionUrl, "replaceLeaf" | "pushLeaf"> {
  function take(leaf: string | null): boolean {
    if (known.current.leaf === leaf && known.current.hit === null) return false;
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
      // Without a leaf the URL opens the last used branch, which is about to change. With the router's own state this
      // changes only the history entry.
      if (named === null && hit === null) history.replaceState(history.state, "", addressOf(from));
      history.pushState(null, "", addressOf(leaf));
    },
  };
}

function addressOf(leaf: string | null): string {
  return leaf === null ? location.pathname : `?leaf=${encodeURIComponent(leaf)}`;
}

/** Such as by Back or a search hit. */
export function useFollowedLink(
  { link, known }: SessionUrl,
  onFollow: (link: SessionLink) => void,
): void {
  const { leaf, hit, inSummary } = link;
  const follow = useEffectEvent(onFollow);
  useEffect(() => {
    if (known.current.leaf === leaf && known.current.hit === hit) return;
    known.current = { leaf, hit, inSummary };
    follow({ leaf, hit, inSummary });
  }, [known, leaf, hit, inSummary]);
}
