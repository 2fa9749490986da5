/** A lazily loaded value that expires; concurrent callers share one load. */
export type TimedCache<Value> = {
  get(): Promise<Value>;
  /** Loads again, ignoring the cache. */
  refresh(): Promise<Value>;
};

/**
 * Caches the result of `load` for `ttlMs` of that value; failures are not cached. @param options.now current time in
 * milliseconds.
 */
export function timedCache<Value>(
  load: () => Promise<Value>,
  options: { ttlMs: (value: Value) => number; now: () => number },
): TimedCache<Value> {
  let kept: { value: Value; until: number } | null = null;
  let loading: Promise<Value> | null = null;

  async function loadAndKeep(): Promise<Value> {
    try {
      const value = await load();
      kept = { value, until: options.now() + options.ttlMs(value) };
      return value;
    } finally {
      loading = null;
    }
  }

  function refresh(): Promise<Value> {
    loading ??= loadAndKeep();
    return loading;
  }

  return {
    get: async () => (kept !== null && options.now() < kept.until ? kept.value : refresh()),
    refresh,
  };
}
