/** A number that is always the same for the same text (FNV-1a, 32 bits). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** The choice that a seed makes; consecutive seeds choose neighbours, so they differ. */
export function chosen(choices: readonly [string, ...string[]], seed: number): string {
  return choices[seed % choices.length] ?? choices[0];
}
