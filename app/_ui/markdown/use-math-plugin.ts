"use client";

import { useEffect, useState } from "react";
import type { MathPlugin } from "streamdown";
import { hasMath } from "./math-text";

type MathModule = typeof import("./math-plugin");

let loaded: MathModule | null = null;

/** Resolves even when it cannot be fetched. */
export async function preloadMath(): Promise<void> {
  await load().catch(() => null);
}

export function isMathLoaded(): boolean {
  return loaded !== null;
}

export function loadedMath(): MathModule | null {
  return loaded;
}

async function load(): Promise<MathModule> {
  loaded ??= await import("./math-plugin");
  return loaded;
}

/** Fetched with renderer and fonts when a text first needs it; `null` until then. */
export function useMathPlugin(text: string): MathPlugin | null {
  const [plugin, setPlugin] = useState(loaded?.math ?? null);
  const isNeeded = plugin === null && hasMath(text);
  useEffect(() => {
    if (!isNeeded) return;
    let isCurrent = true;
    load().then(
      ({ math }) => isCurrent && setPlugin(math),
      // Formulas then stay as plain text.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded]);
  return plugin;
}
