"use client";

import { useEffect, useState } from "react";
import type { MathPlugin } from "streamdown";
import { hasMath } from "./math-text";

let loaded: MathPlugin | null = null;

/** Fetches the maths renderer before the first formula needs it. Settles also when it cannot be fetched. */
export async function preloadMath(): Promise<void> {
  await load().catch(() => null);
}

export function isMathLoaded(): boolean {
  return loaded !== null;
}

async function load(): Promise<MathPlugin> {
  loaded ??= (await import("./math-plugin")).math;
  return loaded;
}

/** The maths renderer, fetched with its fonts when a text first needs it; `null` until then. */
export function useMathPlugin(text: string): MathPlugin | null {
  const [plugin, setPlugin] = useState(loaded);
  const isNeeded = plugin === null && hasMath(text);
  useEffect(() => {
    if (!isNeeded) return;
    let isCurrent = true;
    load().then(
      (math) => isCurrent && setPlugin(math),
      // The formulas stay as they were written.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded]);
  return plugin;
}
