"use client";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { IconButton } from "@/app/_ui/icon-button";
import { isTyping } from "@/app/_ui/is-typing";
import { Kbd } from "@/app/_ui/kbd";
import { type HitWalk, hitWalkStore, isOnWalk, nextHit } from "./hit-walk";
import { hitAddress } from "./search-addresses";

/** Position among the search hits, and the keys for the next, the previous and back. */
export function HitBar() {
  const walk = useSyncExternalStore(hitWalkStore.subscribe, hitWalkStore.read, () => null);
  return walk && <Bar walk={walk} />;
}

function Bar({ walk }: { walk: HitWalk }) {
  const router = useRouter();
  const pathname = usePathname();

  const step = (by: 1 | -1) => {
    const next = nextHit(walk, by);
    const hit = walk.hits[next];
    if (!hit) return;
    hitWalkStore.moveTo(next);
    router.replace(hitAddress(hit));
  };
  const back = () => {
    hitWalkStore.end();
    router.push(walk.from);
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

  // Navigating elsewhere ends the search.
  const isHere = isOnWalk(walk, pathname);
  useEffect(() => {
    if (!isHere) hitWalkStore.end();
  }, [isHere]);

  return (
    <section
      aria-label="Search hits"
      className="fixed inset-x-0 top-15 z-20 mx-auto flex w-max max-w-[calc(100vw-2rem)] animate-appear items-center gap-1 rounded-full border border-line bg-raised py-1 pr-1 pl-4 text-sm shadow-float"
    >
      <span role="status" className="mr-1 tabular-nums">
        {walk.at + 1} of {walk.hits.length}
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
