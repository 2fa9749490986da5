/** What a model is told that wants to append what the block says already. */
export function alreadyThere(label: string): string {
  return `Already in ${label}, word for word. Nothing was written.`;
}
