const longestWaitMs = 300;

/** Settles between other work, when the page has nothing to do, or after a while at the latest. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === "undefined") setTimeout(resolve);
    else requestIdleCallback(() => resolve(), { timeout: longestWaitMs });
  });
}
