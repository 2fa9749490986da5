"use client";

import { useLayoutEffect, useRef, useState } from "react";

type Method = (...parameters: never[]) => unknown;

/**
 * The same object for the life of the component, whose methods always do what the newest `methods` do. What holds it
 * never has to render again because of it.
 */
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
