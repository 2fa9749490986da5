"use client";

import { useEffect, useState } from "react";
import { hasMath } from "./math-text";

type Formulas = typeof import("./formulas");

let loaded: Formulas | null = null;

export async function preloadMath(): Promise<void> {
  await load().catch(() => null);
}

export function isMathLoaded(): boolean {
  return loaded !== null;
}

async function load(): Promise<Formulas> {
  loaded ??= await import("./formulas");
  return loaded;
}

export function useFormulas(text: string): Formulas | null {
  const [formulas, setFormulas] = useState(loaded);
  const isNeeded = formulas === null && hasMath(text);
  useEffect(() => {
    if (!isNeeded) return;
    let isCurrent = true;
    load().then(
      (found) => isCurrent && setFormulas(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isNeeded]);
  return formulas;
}

export function loadedFormulas(): Formulas | null {
  return loaded;
}
