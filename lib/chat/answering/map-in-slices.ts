const sliceMs = 0.5;

/** Maps a long list, pausing after each half millisecond and at the end. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  let pauses = 0;
  const pause = async () => {
    pauses += 1;
    await new Promise((resume) => setTimeout(resume));
    startedAt = performance.now();
  };
  for (const [index, item] of items.entries()) {
    if (performance.now() - startedAt > sliceMs) await pause();
    results.push(map(item, index));
  }
  if (pauses > 0) await pause();
  return results;
}
