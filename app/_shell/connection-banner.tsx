"use client";

import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useConnection } from "@/app/_api/use-server-events";

// A restart or a short drop mends itself before anyone needs to know.
const quietMs = 3_000;

/** Shown once the server has been unreachable for a few seconds. */
export function ConnectionBanner() {
  const isLost = useConnection() === "lost";
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isLost) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), quietMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div role="status">
      {isShown && (
        <p className="flex animate-appear items-center justify-center gap-2 bg-warn-soft px-4 py-1.5 text-warn text-xs">
          <WifiOff aria-hidden className="size-3.5 shrink-0" />
          Can't reach Grove. Your drafts are safe. Reconnecting…
        </p>
      )}
    </div>
  );
}
