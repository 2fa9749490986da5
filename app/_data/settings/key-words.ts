/** `hint` is `…` for a key too short to show any of it. */
export function keyWords(hint: string | null): string {
  if (hint === null) return "No key";
  return hint === "…" ? "Key is set" : `Key ends in ${hint}`;
}
