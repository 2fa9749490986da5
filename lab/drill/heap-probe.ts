import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";

export interface HeapProbe {
  usedAfterCollection(): Promise<number>;
}

const target = z.object({ webSocketDebuggerUrl: z.string() });
const reply = z.object({
  id: z.number().optional(),
  result: z.looseObject({ usedSize: z.number().optional() }).optional(),
  error: z.object({ message: z.string() }).optional(),
});
/** Timers free the memory of the last requests, and finalizers need more than one collection. */
const pauseMs = 2_000;

/**
 * Measures the heap of a Node process that runs with `--inspect` on this port.
 *
 * @see https://chromedevtools.github.io/devtools-protocol/v8/HeapProfiler/
 */
export async function withHeapProbe<Result>(
  port: number,
  use: (probe: HeapProbe) => Promise<Result>,
): Promise<Result> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [first] = z.tuple([target], target).parse(await listed.json());
  const socket = new WebSocket(first.webSocketDebuggerUrl);
  await new Promise((done, fail) => {
    socket.addEventListener("open", done);
    socket.addEventListener("error", () => fail(new Error("The inspector does not answer.")));
  });
  const waiting = new Map<number, PromiseWithResolvers<z.output<typeof reply>>>();
  socket.addEventListener("message", ({ data }) => {
    const said = reply.parse(JSON.parse(String(data)));
    if (said.id !== undefined) waiting.get(said.id)?.resolve(said);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("The process has ended."));
  });
  const ask = async (method: string) => {
    const id = waiting.size;
    const answer = Promise.withResolvers<z.output<typeof reply>>();
    waiting.set(id, answer);
    socket.send(JSON.stringify({ id, method }));
    const { result, error } = await answer.promise;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  try {
    return await use({
      async usedAfterCollection() {
        for (const _ of [1, 2]) {
          await delay(pauseMs);
          await ask("HeapProfiler.collectGarbage");
        }
        return (await ask("Runtime.getHeapUsage"))?.usedSize ?? Number.NaN;
      },
    });
  } finally {
    socket.close();
  }
}
