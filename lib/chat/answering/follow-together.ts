import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { FollowedRun, TogetherChunk } from "@/lib/chat/wire/messages";
import type { Runner } from "./runner";

interface FollowTogetherOptions {
  readonly runner: Runner;
  readonly owner: OwnerData;
  readonly sessionId: string;
  readonly runs: readonly FollowedRun[];
  readonly signal: AbortSignal;
}

/** Several runs over one connection, since a browser opens six to a host. */
export async function* followTogether(
  options: FollowTogetherOptions,
): AsyncGenerator<readonly TogetherChunk[]> {
  const { runs } = options;
  const open = new Map(runs.map((run) => [run.id, followOne(run, options)]));
  const next = new Map([...open].map(([id, chunks]) => [id, chunks.next()]));
  try {
    while (next.size > 0) {
      const arrived = [...next].map(async ([id, step]) => ({ id, step: await step }));
      const { id, step } = await Promise.race(arrived);
      if (step.done) next.delete(id);
      else next.set(id, open.get(id)?.next() ?? Promise.resolve({ done: true, value: undefined }));
      if (!step.done) yield step.value;
    }
  } finally {
    await Promise.allSettled([...open.values()].map((chunks) => chunks.return(undefined)));
  }
}

async function* followOne(
  { id, part, after }: FollowedRun,
  { runner, owner, sessionId, signal }: FollowTogetherOptions,
): AsyncGenerator<readonly TogetherChunk[], undefined> {
  const run = await runner.find(owner, id);
  if (run?.sessionId === sessionId) {
    for await (const chunks of runner.followBatches(owner, { runId: id, part, after, signal }))
      yield chunks.map((chunk) => ({ run: id, chunk }));
  }
  yield [{ run: id, chunk: null }];
}
