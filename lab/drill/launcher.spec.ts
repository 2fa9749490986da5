import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  callApi,
  chunksOf,
  type GroveProcess,
  startGrove,
  withGrove,
  withTemporaryFolder,
} from "@/lib/commands/testing/grove-process";

// On the built app: `npm run test:drills`, after `npm run build`.
const longestMs = 180_000;
const transcript = z.object({
  entries: z.array(
    z.object({
      message: z.object({
        role: z.string(),
        metadata: z.looseObject({ status: z.string().optional() }).optional(),
      }),
    }),
  ),
});

test(
  "SIGTERM gives a running answer its time, then stores it as interrupted and ends its viewers",
  async () => {
    await withTemporaryFolder(async (dataDir) => {
      const environment = { GROVE_DRAIN_SECONDS: "1", GROVE_DEMO_DELAY_MS: "400" };
      const id = crypto.randomUUID();
      const grove = await startGrove({ dataDir, environment });
      try {
        const session = `${grove.address}/api/sessions/${id}`;
        await callApi(`${session}/messages`, {
          method: "POST",
          body: {
            id: `${id}-q`,
            answerId: `${id}-a`,
            parts: [{ type: "text", text: "Tell me about gardens, at length." }],
            newSession: {},
          },
          answer: z.unknown(),
        });
        const { begun, last } = follow(`${session}/runs/${id}-a/stream`);
        await begun;
        await grove.stop();
        expect(await last).toMatchObject({
          type: "finish",
          messageMetadata: { status: "interrupted" },
        });
      } finally {
        await grove.stop();
      }

      const again = await startGrove({ dataDir, environment });
      try {
        const address = `${again.address}/api/sessions/${id}/transcript`;
        const { entries } = await callApi(address, { answer: transcript });
        expect(entries.map(({ message }) => message.metadata?.status ?? message.role)).toEqual([
          "user",
          "interrupted",
        ]);
      } finally {
        await again.stop();
      }
    });
  },
  longestMs,
);

test(
  "An idle connection is kept for longer than proxies keep theirs",
  async () => {
    await withGrove(async ({ address }) => {
      const { headers } = await fetch(`${address}/api/health`);
      expect(headers.get("keep-alive")).toBe("timeout=75");
    });
  },
  longestMs,
);

/** `begun` with the first text; `last` is the last chunk of the stream. */
function follow(url: string): { begun: Promise<void>; last: Promise<unknown> } {
  const begun = Promise.withResolvers<void>();
  const read = async () => {
    let last: unknown;
    for await (const chunk of chunksOf(url)) {
      last = chunk;
      if (chunk.delta) begun.resolve();
    }
    begun.resolve();
    return last;
  };
  return { begun: begun.promise, last: read() };
}

test.runIf(process.platform === "linux")(
  "An app server that dies is started again at the same address",
  async () => {
    await withGrove(async (grove) => {
      process.kill(await serverOf(grove), "SIGKILL");
      await expect.poll(() => isHealthy(grove)).toBe(false);
      await expect.poll(() => isHealthy(grove), { timeout: 60_000 }).toBe(true);
    });
  },
  longestMs,
);

async function isHealthy({ address }: GroveProcess): Promise<boolean> {
  const response = await fetch(`${address}/api/health`).catch(() => null);
  return response?.status === 200;
}

/** The child of the launcher that runs Next. */
async function serverOf({ pid }: GroveProcess): Promise<number> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const child of pids) {
    const [stat, command] = await Promise.all(
      ["stat", "cmdline"].map((name) => readFile(`/proc/${child}/${name}`, "utf8").catch(() => "")),
    );
    const parent = /^\d+ \(.*\) \S (\d+)/.exec(stat ?? "")?.[1];
    if (parent === String(pid) && /next/.test(command ?? "")) return Number(child);
  }
  throw new Error("The launcher runs no server.");
}
