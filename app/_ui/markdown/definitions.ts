import { linesOf } from "./top-level-blocks";

const fence = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{3}|~{3})/;
const definition = /^ {0,3}\[([^\]\n]{1,999})\]:/;
const continued = /^(?: {4}|\t|\s*$)/;

/** The first of equal labels counts. */
export function definitionsIn(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (!text.includes("]:")) return found;
  let label: string | null = null;
  let isInFence = false;
  for (const line of linesOf(text)) {
    if (fence.test(line)) isInFence = !isInFence;
    const own = isInFence ? null : definition.exec(line);
    if (own) {
      label = labelOf(own[1] ?? "");
      if (found.has(label)) label = null;
      else found.set(label, line);
    } else if (label?.startsWith("^") && continued.test(line)) {
      found.set(label, (found.get(label) ?? "") + line);
    } else label = null;
  }
  return found;
}

export function definitionsFor(block: string, definitions: ReadonlyMap<string, string>): string {
  if (definitions.size === 0 || !block.includes("[")) return "";
  const own = definitionsIn(block);
  const needed = new Set<string>();
  for (const before of block.split("]")) {
    const opening = before.lastIndexOf("[");
    if (opening === -1 || before.length - opening > 1_000) continue;
    const label = labelOf(before.slice(opening + 1));
    if (definitions.has(label) && !own.has(label)) needed.add(label);
  }
  return [...needed].map((label) => `${definitions.get(label)?.trimEnd()}\n\n`).join("");
}

function labelOf(written: string): string {
  return written.trim().replace(/\s+/g, " ").toLowerCase();
}
