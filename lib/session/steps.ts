/** Long work that can pause between its steps, each of about a millisecond. */
export type Steps<Result> = Generator<undefined, Result>;

const sliceMs = 10;

export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Yields to other work every 10 ms. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let startedAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - startedAt < sliceMs) continue;
    await new Promise((resume) => setTimeout(resume));
    startedAt = performance.now();
  }
}
