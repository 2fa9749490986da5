import { expect, test } from "vitest";
import { z } from "zod";
import { callApi, chunksOf, freePort, withGrove } from "@/lib/commands/testing/grove-process";
import { hasNginx, withNginx } from "./nginx";

// On the built app, behind a proxy with its usual settings: `npm run test:drills`, after `npm run build`.
test.skipIf(!hasNginx)(
  "nginx passes answers and events on as they come",
  async () => {
    const pauseMs = 60;
    await withGrove(
      async ({ address }) => {
        const port = await freePort();
        await withNginx({ port, to: address }, async () => {
          const proxy = `http://127.0.0.1:${port}`;
          const events = await fetch(`${proxy}/api/events`);
          const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
          expect((await reader?.read())?.value).toContain(": connected");
          await reader?.cancel();

          const id = crypto.randomUUID();
          const session = `/api/sessions/${id}`;
          await callApi(`${proxy}${session}/messages`, {
            method: "POST",
            body: {
              id: `${id}-q`,
              answerId: `${id}-a`,
              parts: [{ type: "text", text: "Tell me about gardens." }],
              newSession: {},
            },
            answer: z.unknown(),
          });
          const times: number[] = [];
          for await (const { delta } of chunksOf(`${proxy}${session}/runs/${id}-a/stream`))
            if (delta) times.push(performance.now());
          const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
          // A buffer would give all of it at the end.
          expect(gaps.filter((gap) => gap > pauseMs / 2).length).toBeGreaterThan(5);
        });
      },
      { GROVE_DEMO_DELAY_MS: String(pauseMs) },
    );
  },
  180_000,
);
