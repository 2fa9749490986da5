"use client";

import { useEffect, useRef } from "react";

/** Tells, long after the fact, whether what asked is still on the page to show an answer. */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return () => isMounted.current;
}
