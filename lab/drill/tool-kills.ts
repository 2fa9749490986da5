import { setTimeout as delay } from "node:timers/promises";
import { inputRequired } from "@modelcontextprotocol/server";
import { z } from "zod";
import { startToolServer, type ToolServer } from "@/lib/chat/mcp-client/testing/tool-server";
import { callApi } from "@/lib/commands/testing/grove-process";
import { type AppServer, withSite } from "./app-servers";
import type { Drill, DrillOptions } from "./drill";

const message = z.object({
  role: z.string(),
  metadata: z.looseObject({ status: z.string().optional() }).optional(),
  parts: z.array(
    z.looseObject({
      type: z.string(),
      state: z.string().optional(),
      text: z.string().optional(),
      errorText: z.string().optional(),
      approval: z.looseObject({ id: z.string() }).optional(),
    }),
  ),
});
const transcript = z.object({
  entries: z.array(z.object({ message, isWaiting: z.boolean().optional() })),
  runs: z.array(z.looseObject({ status: z.string() })),
});

const moments = [
  "while a call waits for the person",
  "during a call",
  "while a server asks",
] as const;
type Moment = (typeof moments)[number];

const endedWithinMs = 60_000;
/** A second call would come with the recovery of the run. */
const watchedMs = 2_000;
const unknownResult = "its result is unknown";

interface Place {
  readonly app: AppServer;
  readonly calls: () => readonly string[];
  readonly hold: { open: (() => void) | null };
}

export const toolKills: Drill = {
  name: "tool-kills",
  promise:
    "A call that waits when Grove dies can still be decided and is made once; one that runs ends with a sentence and is never made again.",
  unit: "kills",
  fullCount: 200,
  run: (options) =>
    withSite(options, async (site) => {
      const cities: string[] = [];
      const hold: Place["hold"] = { open: null };
      const station = await startToolServer({
        answer: async ({ city }) => {
          cities.push(city);
          if (city.startsWith("held")) await new Promise<void>((open) => (hold.open = open));
          return { content: [{ type: "text", text: `Sunny in ${city}` }] };
        },
      });
      const asking = await startToolServer({
        name: "forecast",
        title: "Forecast",
        question: () =>
          inputRequired.elicit({
            message: "Which day?",
            requestedSchema: { type: "object", properties: { day: { type: "string" } } },
          }),
        answer: ({ city }) => {
          cities.push(city);
          return { content: [{ type: "text", text: `Rain in ${city}` }] };
        },
      });
      try {
        const app = await site.server();
        await addServers(app, { station, asking });
        const place = { app, calls: () => cities, hold };
        const broken: string[] = [];
        const figures: Record<string, number> = {};
        for (let n = 0; n < options.count && !options.signal.aborted; n++) {
          const moment = moments[(n + options.seed) % moments.length] ?? moments[0];
          broken.push(...(await attempt(place, moment, `${options.seed}-${n}`, options)));
          figures[`killed ${moment}`] = (figures[`killed ${moment}`] ?? 0) + 1;
        }
        return { broken, figures: { ...figures, calls: cities.length } };
      } finally {
        hold.open?.();
        await Promise.all([station.close(), asking.close()]);
      }
    }),
};

async function addServers(
  { address }: AppServer,
  { station, asking }: { station: ToolServer; asking: ToolServer },
): Promise<void> {
  const put = (id: string, name: string, url: string) =>
    callApi(`${address}/api/tools/servers/${id}`, {
      method: "PUT",
      body: { name, url },
      answer: z.unknown(),
    });
  await put("s1", "Station", station.url);
  await put("s2", "Office", asking.url);
  const policies = { station__weather: "ask", office__forecast: "on" };
  await callApi(`${address}/api/tools`, {
    method: "PATCH",
    body: { policies },
    answer: z.unknown(),
  });
}

async function attempt(
  { app, calls, hold }: Place,
  moment: Moment,
  id: string,
  { say }: DrillOptions,
): Promise<string[]> {
  const city = moment === "during a call" ? `held-${id}` : `free-${id}`;
  const tool = moment === "while a server asks" ? "forecast" : "weather";
  const session = `${app.address}/api/sessions/${id}`;
  const answerId = `${id}-answer`;
  await callApi(`${session}/messages`, {
    method: "POST",
    body: {
      id: `${id}-question`,
      answerId,
      model: "demo/grove-demo",
      parts: [{ type: "text", text: `Call ${tool} with ${city}` }],
      newSession: {},
    },
    answer: z.unknown(),
  });
  if (moment === "while a server asks") await asked(`${session}/runs/${answerId}/stream`);
  else {
    const approvalId = await waitingCall(session);
    if (moment === "during a call") {
      await approve(session, answerId, approvalId);
      await until(() => calls().includes(city));
    }
  }
  say(`killed ${moment}`);
  await app.kill();
  await app.start();
  if (moment === "while a call waits for the person") {
    await approve(session, answerId, await waitingCall(session));
  }
  const answer = await endOf(session);
  await delay(watchedMs);
  hold.open?.();
  const made = calls().filter((each) => each === city).length;
  const at = `Killed ${moment} (${id}): `;
  if (moment === "while a call waits for the person") {
    const isWhole = answer?.metadata?.status === "complete" && made === 1;
    return isWhole ? [] : [`${at}${answer?.metadata?.status ?? "no answer"}, ${made} calls.`];
  }
  const broken: string[] = [];
  const expected = moment === "during a call" ? 1 : 0;
  if (made !== expected) broken.push(`${at}${made} calls instead of ${expected}.`);
  if (answer?.metadata?.status !== "interrupted")
    broken.push(`${at}the answer is ${answer?.metadata?.status ?? "not there"}.`);
  if (!answer?.parts.some(({ errorText }) => errorText?.includes(unknownResult)))
    broken.push(`${at}the call does not say that its result is unknown.`);
  return broken;
}

async function waitingCall(session: string): Promise<string> {
  let found: string | undefined;
  await until(async () => {
    const { entries } = await callApi(`${session}/transcript`, { answer: transcript });
    // A crash can come between an answer and its pause, which its recovery then stores.
    const parts = entries.flatMap((entry) => (entry.isWaiting ? entry.message.parts : []));
    found = parts.find(({ state }) => state === "approval-requested")?.approval?.id;
    return found !== undefined;
  });
  return found ?? "";
}

function approve(session: string, answerId: string, approvalId: string): Promise<unknown> {
  return callApi(`${session}/messages/${answerId}/approvals/${approvalId}`, {
    method: "POST",
    body: { decision: "approve" },
    answer: z.unknown(),
  });
}

async function asked(url: string): Promise<void> {
  const over = new AbortController();
  const { body } = await fetch(url, { signal: over.signal });
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.includes('"question":{')) break;
  }
  over.abort();
}

/** The answer once nothing runs any more; `null` when that takes too long. */
async function endOf(session: string): Promise<z.output<typeof message> | null> {
  let last: z.output<typeof message> | null = null;
  await until(async () => {
    const { entries, runs } = await callApi(`${session}/transcript`, { answer: transcript });
    last = entries.at(-1)?.message ?? null;
    const isWaiting = last?.parts.some(({ state }) => state === "approval-requested");
    return last?.role === "assistant" && runs.length === 0 && !isWaiting;
  });
  return last;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startedAt > endedWithinMs)
      throw new Error("Nothing happened for 60 s.");
    await delay(100);
  }
}
