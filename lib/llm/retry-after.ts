// Longer waits are the provider's way of saying "not today"; a countdown would not help.
const longestMs = 24 * 60 * 60 * 1000;

/**
 * How long a provider asks to wait, in milliseconds, from `retry-after-ms` or `retry-after` (seconds or a date,
 * RFC 9110 section 10.2.3).
 *
 * @returns `null` when it does not say, or says nothing usable.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  now: number = Date.now(),
): number | null {
  const header = (name: string) =>
    Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const milliseconds = header("retry-after-ms");
  if (milliseconds !== undefined) return usable(Number(milliseconds));
  const after = header("retry-after");
  if (after === undefined) return null;
  const seconds = Number(after);
  return usable(Number.isNaN(seconds) ? Date.parse(after) - now : seconds * 1000);
}

function usable(ms: number): number | null {
  return Number.isFinite(ms) && ms >= 0 && ms <= longestMs ? Math.round(ms) : null;
}
