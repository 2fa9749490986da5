/** Waits until `ms` have passed, `signal` aborts or the machine is online again. Never rejects. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const events = typeof window === "undefined" ? null : window;
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    events?.addEventListener("online", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      events?.removeEventListener("online", done);
      resolve();
    }
  });
}
