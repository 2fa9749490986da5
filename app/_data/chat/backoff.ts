const FIRST_MS = 400;
const LONGEST_MS = 8_000;

export function backoffMs(attempt: number, random: number = Math.random()): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attempt - 1));
  return Math.round(full * (0.75 + random * 0.5));
}

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
