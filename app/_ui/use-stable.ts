"use client";

import { useLayoutEffect, useRef, useState } from "react";

type Method = (...parameters: never[]) => unknown;

/** An object with a stable identity whose methods always run the newest `methods`. */
export function useStable<Methods extends { readonly [Name in keyof Methods]: Method }>(
  methods: Methods,
): Methods {
  const latest = useRef(methods);
  useLayoutEffect(() => {
    latest.current = methods;
  });
  const [stable] = useState(() => {
    const names = Object.keys(methods) as (keyof Methods)[];
    const entries = names.map((name) => [
      name,
      (...parameters: never[]) => latest.current[name](...parameters),
    ]);
    return Object.fromEntries(entries) as Methods;
  });
  return stable;
}
