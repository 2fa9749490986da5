export type TimedCache<Value> = {
  get(): Promise<Value>;
  refresh(): Promise<Value>;
};

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
