/** Returns each caller its value once `count` of them have come. */
export function meetingOf(count: number): <T>(value: T) => Promise<T> {
  let open = (): void => undefined;
  const all = new Promise<void>((done) => {
    open = done;
  });
  let present = 0;
  return async (value) => {
    if (++present === count) open();
    await all;
    return value;
  };
}

export function errorsOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
}
