import { setTimeout as delay } from "node:timers/promises";
import { Random } from "@/lib/text/testing/random";
import { AnswerViewer, missingWords, numberedAnswer } from "./answer-viewer";
import {
  type AppServer,
  type DrillSite,
  type StoredRow,
  settledAfter,
  storedMessages,
  withSites,
} from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { callUntilAcknowledged } from "./retrying-client";
import { type Slowdown, whileMeasuring } from "./slowdown";

const answersAtOnce = 3;
const { pace, text: wholeText, writingMs } = numberedAnswer({ words: 80, pauseMs: 25 });
const missingMsAtMost = 1_500;
const settledWithinMs = 20_000;
const settledAtLastMs = 180_000;
const spooledWithinMs = 1_500;

/** Does the app server die meanwhile, and when: before the answers are whole, or after? */
const deaths = ["none", "after the end", "in the middle"] as const;
/** A crash loses what was committed without waiting for the disk. */
const partings = ["stop", "crash"] as const;

interface Kind extends Pick<Drill, "name" | "fullCount"> {
  readonly seconds: readonly [least: number, most: number];
  readonly sites: number;
}

function outageDrill({ name, fullCount, ...kind }: Kind): Drill {
  return {
    name,
    promise:
      "An answer whose database goes away is stored whole when it returns, and seen meanwhile.",
    unit: "outages",
    fullCount,
    run: (options) => whileMeasuring((slowdown) => runOutages(options, { ...kind, slowdown })),
  };
}

export const outage = outageDrill({ name: "outage", fullCount: 60, seconds: [3, 8], sites: 3 });
export const longOutage = outageDrill({
  name: "long-outage",
  fullCount: 6,
  seconds: [600, 600],
  sites: 6,
});

interface Setting {
  readonly site: DrillSite;
  readonly slowdown: Slowdown;
}

interface Tally {
  readonly broken: string[];
  answers: number;
  mostMissingMs: number;
  longestSettlingMs: number;
  secondsAway: number;
}

async function runOutages(
  options: DrillOptions,
  { sites, slowdown, seconds: [least, most] }: Omit<Kind, keyof Drill> & Pick<Setting, "slowdown">,
): Promise<DrillResult> {
  const { count, seed, signal, say } = options;
  const tally: Tally = {
    broken: [],
    answers: 0,
    mostMissingMs: 0,
    longestSettlingMs: 0,
    secondsAway: 0,
  };
  const seeds = new Random(seed);
  let outages = 0;
  await withSites(options, Math.min(sites, count), async (site) => {
    Object.assign(site.model.pace, pace);
    const server = await site.server();
    const modelRef = await site.modelRef();
    while (outages < count && !signal.aborted) {
      const n = outages++;
      const random = new Random(seeds.below(2 ** 31));
      const death = deaths[n % deaths.length] ?? "none";
      const parting = partings[Math.floor(n / deaths.length) % partings.length] ?? "stop";
      const awayMs = 1_000 * (least + random.next() * (most - least));
      const away = `${parting} of the database, away for ${(awayMs / 1_000).toFixed(0)} s`;
      say(`${n + 1}: ${away}, death of the server: ${death}`);
      tally.secondsAway += awayMs / 1_000;
      await oneOutage({ site, slowdown, server, modelRef, tally, death, parting, awayMs, random });
    }
  });
  return {
    broken: tally.broken,
    figures: {
      outages,
      answers: tally.answers,
      "seconds away": tally.secondsAway,
      "most text missing after a death (ms)": tally.mostMissingMs,
      "all stored after the return (ms)": tally.longestSettlingMs,
    },
  };
}

interface Outage extends Setting {
  readonly server: AppServer;
  readonly modelRef: string;
  readonly tally: Tally;
  readonly death: (typeof deaths)[number];
  readonly parting: (typeof partings)[number];
  readonly awayMs: number;
  readonly random: Random;
}

async function oneOutage(given: Outage): Promise<void> {
  const { site, slowdown, server, modelRef, tally, death, parting, awayMs, random } = given;
  const ids = Array.from({ length: answersAtOnce }, () => crypto.randomUUID());
  await Promise.all(ids.map((id) => ask(server, { id, modelRef })));
  const viewers = ids.map((id) => viewerOf(server, id));
  // An answer that waits for its input has no text to lose yet.
  await Promise.all(viewers.map(({ begun }) => begun));
  await delay(random.next() * writingMs * 0.7);
  if (parting === "crash") await site.crashDatabase();
  else await site.stopDatabase();
  const awayAt = performance.now();
  // Another tab that is opened while the database is away. What ended before is in the database alone.
  const late = viewers.map((first, index) =>
    first.isOver ? first : viewerOf(server, ids[index] ?? ""),
  );
  if (death === "after the end") {
    await Promise.all(viewers.map(({ whole }) => whole));
    await delay(spooledWithinMs * slowdown.now);
  }
  if (death === "in the middle") await delay(random.next() * writingMs);
  if (death !== "none") await server.kill();
  await delay(Math.max(0, awayAt + awayMs - performance.now()));
  await site.startDatabase();
  if (death !== "none") await server.start();
  // Longer than promised: an answer that is late is not lost.
  const settledMs = (await settledAfter(site, settledAtLastMs)) ?? settledAtLastMs;
  if (settledMs > settledWithinMs * slowdown.now)
    tally.broken.push(`All was stored ${Math.round(settledMs / 1_000)} s after the return.`);
  tally.longestSettlingMs = Math.max(tally.longestSettlingMs, settledMs);
  const seen = await Promise.all([...viewers, ...late].map(({ ended }) => ended));
  if (death === "none" && seen.some((text) => text !== wholeText))
    tally.broken.push(
      `A viewer saw ${seen.find((text) => text !== wholeText)?.length} characters.`,
    );
  const rows = await storedMessages(site);
  for (const [index, id] of ids.entries()) {
    const row = rows.find((each) => each.id === `${id}-answer`);
    const texts = [seen[index] ?? "", seen[index + answersAtOnce] ?? ""];
    judge(row, { death, tally, slowdown, seen: texts });
  }
}

function viewerOf({ address }: AppServer, id: string): AnswerViewer {
  return new AnswerViewer({
    address,
    sessionId: `drill-${id}`,
    runId: `${id}-answer`,
    wholeText,
  });
}

function judge(
  row: StoredRow | undefined,
  {
    death,
    tally,
    slowdown,
    seen,
  }: Pick<Outage, "death" | "tally" | "slowdown"> & { seen: readonly string[] },
): void {
  tally.answers++;
  if (!row || !wholeText.startsWith(row.text)) {
    tally.broken.push(`An answer is ${row ? `garbled: ${row.text}` : "lost"}.`);
    return;
  }
  if (death !== "in the middle") {
    if (row.text !== wholeText || row.status !== "complete")
      tally.broken.push(
        `An answer (${death}) is ${row.status} with ${row.text.length} characters.`,
      );
    return;
  }
  const missingMs = Math.max(...seen.map((text) => missingWords(text, row.text))) * pace.pauseMs;
  tally.mostMissingMs = Math.max(tally.mostMissingMs, missingMs);
  if (missingMs > missingMsAtMost * slowdown.now)
    tally.broken.push(`${missingMs} ms of an answer are missing.`);
}

async function ask(server: AppServer, { id, modelRef }: { id: string; modelRef: string }) {
  const body = {
    id,
    parts: [{ type: "text", text: "Write, please." }],
    newSession: {},
    model: modelRef,
    answerId: `${id}-answer`,
  };
  const path = `/api/sessions/drill-${id}/messages`;
  const { signal } = new AbortController();
  await callUntilAcknowledged(() => server.address, { method: "POST", path, body }, signal);
}
