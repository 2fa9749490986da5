/** A rough count of tokens for a text that no provider counts: four characters are about one. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
