/** A value kept in this browser. Reading never fails: what is missing or cannot be read is `null`. */
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
 * Keeps `value` in this browser; `null` forgets it. A full or forbidden storage is no error: the page still holds the
 * value, it only would not survive a reload.
 */
export function writeStored(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}
