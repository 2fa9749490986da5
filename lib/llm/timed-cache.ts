/** A value that is loaded when first asked for and kept for a while; askers at the same time share one load. */
export type TimedCache<Value> = {
  get(): Promise<Value>;
  /** Loads anew, whatever is kept. */
  refresh(): Promise<Value>;
};

/**
 * Keeps what `load` returns for as long as `ttlMs` says for that value; a load that fails is not kept.
 *
 * @param options.now the current time in milliseconds.
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
