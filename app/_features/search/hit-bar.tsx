"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";
import { isTyping } from "@/app/_data/page/shortcuts";
import { hitAddress } from "@/app/_data/search/search-addresses";
import {
  isAtHit,
  nextHit,
  type SearchCursor,
  searchCursor,
} from "@/app/_data/search/search-cursor";
import { IconButton } from "@/app/_ui/button";
import { Kbd } from "@/app/_ui/kbd";
import { useStore } from "@/app/_ui/store";
import { useFoundWords } from "./found-words";

export function HitBar() {
  const cursor = useStore(searchCursor);
  return cursor && <Bar cursor={cursor} />;
}

function Bar({ cursor }: { cursor: SearchCursor }) {
  useFoundWords(cursor);
  const router = useRouter();
  const pathname = usePathname();

  const step = (by: 1 | -1) => {
    const next = nextHit(cursor, by);
    const hit = cursor.hits[next];
    if (!hit) return;
    searchCursor.update(() => ({ ...cursor, at: next }));
    router.replace(hitAddress(hit));
  };
  const back = () => {
    searchCursor.update(() => null);
    router.push(cursor.from);
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector('[role="dialog"], [role="menu"]')) return;
    if (event.key === "n") step(1);
    else if (event.key === "N") step(-1);
    else if (event.key === "Escape") back();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);

  const isHere = isAtHit(cursor, pathname);
  useEffect(() => {
    if (!isHere) searchCursor.update(() => null);
  }, [isHere]);

  return (
    <section
      aria-label="Search hits"
      className="fixed inset-x-0 top-15 z-20 mx-auto flex w-max max-w-[calc(100vw-2rem)] animate-appear items-center gap-1 rounded-full border border-line bg-raised py-1 pr-1 pl-4 text-sm shadow-float"
    >
      <span role="status" className="mr-1 tabular-nums">
        {cursor.at + 1} of {cursor.hits.length}
      </span>
      <IconButton label="Next hit" shortcut={["n"]} onClick={() => step(1)}>
        <ChevronDown aria-hidden />
      </IconButton>
      <IconButton label="Previous hit" shortcut={["N"]} onClick={() => step(-1)}>
        <ChevronUp aria-hidden />
      </IconButton>
      <span aria-hidden className="flex pointer-coarse:hidden items-center gap-1">
        <Kbd keys={["n"]} />
        <Kbd keys={["N"]} />
        <Kbd keys={["Esc"]} />
      </span>
      <IconButton label="Back to current message" shortcut={["Esc"]} onClick={back}>
        <X aria-hidden />
      </IconButton>
    </section>
  );
}
