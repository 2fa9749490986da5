/**
 * Waits, unless `signal` is aborted first.
 *
 * @throws the reason of the abort.
 */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    function end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
    function stop() {
      end();
      reject(signal?.reason);
    }
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
