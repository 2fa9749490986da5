import { setImmediate } from "node:timers/promises";

const longestMs = 10;

/** Returns a function to await in a long loop: it lets other work run when 10 ms have passed since it last did. */
export function breaks(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestMs) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
    });
  };
}
