const sliceMs = 0.5;

/** Maps a long list without holding up other work: pauses after each half millisecond. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const [index, item] of items.entries()) {
    if (performance.now() - startedAt > sliceMs) {
      await new Promise((resume) => setTimeout(resume));
      startedAt = performance.now();
    }
    results.push(map(item, index));
  }
  return results;
}
