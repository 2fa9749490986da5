const sliceMs = 0.5;

/** Maps a long list without holding up other work: pauses after each half millisecond. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const item of items) {
    if (performance.now() - startedAt > sliceMs) {
      await new Promise((resume) => setTimeout(resume));
      startedAt = performance.now();
    }
    results.push(map(item));
  }
  return results;
}
