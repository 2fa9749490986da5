"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useEffectEvent, useRef } from "react";

export interface SessionLink {
  readonly leaf: string | null;
  readonly hit: string | null;
  /** The hit is in the summary that ends with this message, not in the message. */
  readonly inSummary: boolean;
}

/** Puts the leaf in view into the address: as a new entry of the history, or in place of the present one. */
export type WriteLeaf = (leaf: string | null, how: "push" | "replace") => void;

export interface SessionUrl {
  /** What the address asked for when the page opened. */
  readonly start: SessionLink;
  readonly write: WriteLeaf;
  /** What the address asks for now. */
  readonly link: SessionLink;
  /** What of it this page wrote itself, and need not follow. */
  readonly known: React.RefObject<SessionLink>;
}

/** What of a session is in the address. */
export function useSessionUrl(): SessionUrl {
  const parameters = useSearchParams();
  const link: SessionLink = {
    leaf: parameters.get("leaf"),
    hit: parameters.get("hit"),
    inSummary: parameters.get("place") === "summary",
  };
  const start = useRef(link);
  const known = useRef(link);
  const write = useCallback<WriteLeaf>((leaf, how) => {
    if (known.current.leaf === leaf && known.current.hit === null) return;
    known.current = { leaf, hit: null, inSummary: false };
    const url = leaf === null ? location.pathname : `?leaf=${encodeURIComponent(leaf)}`;
    if (how === "push") history.pushState(null, "", url);
    else history.replaceState(null, "", url);
  }, []);
  return { start: start.current, write, link, known };
}

/** Calls `onFollow` when the address changes by other means than this page's own, such as Back or a search hit. */
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
