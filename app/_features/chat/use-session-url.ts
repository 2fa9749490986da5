"use client";

import { useSearchParams } from "next/navigation";
import { useCallback, useEffect, useEffectEvent, useRef } from "react";

export interface SessionLink {
  readonly leaf: string | null;
  readonly hit: string | null;
  /** The hit is in the summary that ends with this message. */
  readonly inSummary: boolean;
}

/** Writes the leaf into the URL, as a new history entry or replacing the current one. */
export type WriteLeaf = (leaf: string | null, how: "push" | "replace") => void;

export interface SessionUrl {
  /** Target in the URL when the page opened. */
  readonly start: SessionLink;
  readonly write: WriteLeaf;
  /** Current target in the URL. */
  readonly link: SessionLink;
  /** The part of it this page wrote itself. */
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
  const write = useCallback<WriteLeaf>((leaf, how) => {
    if (known.current.leaf === leaf && known.current.hit === null) return;
    known.current = { leaf, hit: null, inSummary: false };
    const url = leaf === null ? location.pathname : `?leaf=${encodeURIComponent(leaf)}`;
    if (how === "push") history.pushState(null, "", url);
    else history.replaceState(null, "", url);
  }, []);
  return { start: start.current, write, link, known };
}

/** Calls `onFollow` when the URL changes from outside, such as by Back or a search hit. */
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
