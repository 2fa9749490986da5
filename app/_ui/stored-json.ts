/** Reads a value from local storage. Never fails: a missing or unreadable one is `null`. */
export function readStored<Value>(key: string): Value | null {
  try {
    const text = localStorage.getItem(key);
    // Only this module's callers write under their keys.
    return text === null ? null : (JSON.parse(text) as Value);
  } catch {
    return null;
  }
}

/**
 * Writes `value` to local storage; `null` removes it. A full or forbidden storage is ignored: the value then does not
 * survive a reload.
 */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
