import { isDeepStrictEqual } from "node:util";

/** Beyond these limits, only a text that is the data itself counts. */
const most = { searches: 400, characters: 20_000 };

/**
 * Servers repeat data for clients that read none. True when the texts hold the same JSON, or each name and whole value.
 */
export function isSaid(data: unknown, texts: readonly string[]): boolean {
  if (texts.some((text) => isSameJson(data, text))) return true;
  const text = texts.join("\n\n");
  if (text.trim() === "" || text.length > most.characters) return false;
  const waiting = [data];
  let searches = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "object" && next !== null) {
      const isList = Array.isArray(next);
      for (const [name, value] of Object.entries(next)) {
        if (++searches > most.searches) return false;
        if (isList) waiting.push(value);
        else waiting.push(name, value);
      }
    } else if (!holdsWhole(text, String(next))) return false;
  }
  return true;
}

function isSameJson(data: unknown, text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    return isDeepStrictEqual(JSON.parse(text), data);
  } catch {
    return false;
  }
}

function holdsWhole(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length;
    const isBegun = /[\p{L}\p{N}_.,+−–-]$/u.test(text.slice(Math.max(0, at - 2), at));
    const isOn = /^(?:[\p{L}\p{N}_]|[.,]\d)/u.test(text.slice(end, end + 2));
    if (value === "" || (!isBegun && !isOn)) return true;
  }
  return false;
}
