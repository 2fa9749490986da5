"use client";

import { useEffect, useState } from "react";
import type { MathPlugin } from "streamdown";
import { hasMath } from "./math-text";

let loaded: MathPlugin | null = null;

/** The maths renderer, fetched with its fonts when a text first needs it; `null` until then. */
export function useMathPlugin(text: string): MathPlugin | null {
  const [plugin, setPlugin] = useState(loaded);
  const isNeeded = plugin === null && hasMath(text);
  useEffect(() => {
    if (!isNeeded) return;
    let isCurrent = true;
    void import("./math-plugin").then(({ math }) => {
      loaded = math;
      if (isCurrent) setPlugin(math);
    });
    return () => {
      isCurrent = false;
    };
  }, [isNeeded]);
  return plugin;
}
