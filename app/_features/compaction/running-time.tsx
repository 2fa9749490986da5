"use client";

import { useEffect, useState } from "react";

/** `12 s`, counting up; milliseconds since 1970. */
export function RunningTime({ since }: { since: number }) {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    const timer = setInterval(tick, 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span className="tabular-nums">{Math.max(0, Math.round((now - since) / 1_000))} s</span>;
}
