/** Returns each caller its value once `count` of them have come. */
export function meetingOf(count: number): <T>(value: T) => Promise<T> {
  const all = Promise.withResolvers<void>();
  let present = 0;
  return async (value) => {
    if (++present === count) all.resolve();
    await all.promise;
    return value;
  };
}

export function errorsOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
}
