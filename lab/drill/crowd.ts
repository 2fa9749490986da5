import { setTimeout as delay } from "node:timers/promises";
import { connect } from "grove-session/postgres";
import { z } from "zod";
import { percentile } from "@/lab/bench/interleave";
import { type DrillSite, withSite } from "./app-servers";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { drillOrigin, joinAs, type Person, ProxiedClient } from "./drill-people";
import { type Slowdown, whileMeasuring } from "./slowdown";

const word = (n: number) => `w${n} `;
const pace = { words: 400, pauseMs: 40, word };
const answersAtOnce = 50;
/** Pause between two questions that keeps this many answers being written. */
const pauseMs = (pace.words * pace.pauseMs) / answersAtOnce;
const takenWithinMs = 150;
const wholeText = Array.from({ length: pace.words }, (_, n) => word(n)).join("");

export const crowd: Drill = {
  name: "crowd",
  promise:
    "With 200 people and 50 answers at once no answer is cut, and a message is taken at once.",
  unit: "people",
  fullCount: 200,
  run: (options) =>
    withSite(options, (site) =>
      whileMeasuring((slowdown) => askTogether(options, { site, slowdown })),
    ),
};

async function askTogether(
  { count, signal, say }: DrillOptions,
  { site, slowdown }: { site: DrillSite; slowdown: Slowdown },
): Promise<DrillResult> {
  Object.assign(site.model.pace, pace);
  const { address } = await site.server({
    GROVE_ORIGIN: drillOrigin,
    GROVE_TRUSTED_PROXIES: "1",
    GROVE_MAX_RUNNING_ANSWERS: String(2 * answersAtOnce),
  });
  const sql = connect(site.database().url, { max: 2 });
  const client = new ProxiedClient(address, 4 * answersAtOnce);
  try {
    const people: Person[] = [];
    for (let n = 0; n < count && !signal.aborted; n++) {
      const role = n === 0 ? "owner" : "member";
      const from = addressOf(n);
      const person = await joinAs(client, { sql, name: `person-${n}`, role, from });
      // The first request of a person makes their example.
      await client.send({ path: "/api/sessions", cookie: person.cookie, from });
      people.push(person);
      if (people.length % 50 === 0) say(`${people.length} people`);
    }
    const visits = await Promise.all(
      people.map(async (person, n) => {
        await delay(n * pauseMs);
        return visit(client, { person, from: addressOf(n) });
      }),
    );
    const takenMs = visits.map((each) => each.takenMs);
    const p95 = percentile(takenMs, 0.95);
    const cut = visits.flatMap(({ problem }) => problem ?? []);
    const isLate = p95 > takenWithinMs * slowdown.now;
    const late = `A message was taken after ${Math.round(p95)} ms (p95).`;
    return {
      broken: isLate ? [...cut, late] : cut,
      figures: {
        people: people.length,
        "message taken, p50 (ms)": percentile(takenMs, 0.5),
        "message taken, p95 (ms)": p95,
        "answers cut": cut.length,
        "most answers at once": mostAtOnce(visits),
      },
    };
  } finally {
    client.end();
    await sql.end({ timeout: 1 });
  }
}

interface Visit {
  readonly takenMs: number;
  readonly from: number;
  readonly to: number;
  readonly problem: string | null;
}

const listed = z.object({ models: z.array(z.object({ ref: z.string() })) });
const chunk = z.looseObject({ type: z.string(), delta: z.string().optional() });

async function visit(
  client: ProxiedClient,
  { person, from }: { person: Person; from: string },
): Promise<Visit> {
  const { cookie, name } = person;
  const models = await client.send({ path: "/api/models", cookie, from });
  const model = listed
    .parse(JSON.parse(models?.text ?? "{}"))
    .models.find(({ ref }) => ref.endsWith("/bench-model"))?.ref;
  const session = `/api/sessions/${crypto.randomUUID()}`;
  const answerId = crypto.randomUUID();
  const parts = [{ type: "text", text: `A question of ${name}` }];
  const body = { id: crypto.randomUUID(), parts, model, answerId, newSession: {} };
  const startedAt = performance.now();
  const taken = await client.send({
    method: "POST",
    path: `${session}/messages`,
    cookie,
    from,
    body,
  });
  const takenAt = performance.now();
  const path = `${session}/runs/${answerId}/stream?after=0`;
  const read = await client.send({ path, cookie, from, readsOn: true });
  const isWhole = textOf(read?.text ?? "") === wholeText;
  return {
    takenMs: takenAt - startedAt,
    from: startedAt,
    to: performance.now(),
    problem: isWhole
      ? null
      : `${name} got ${taken?.status} for a message, and ${read?.status} with ${textOf(read?.text ?? "").length} of ${wholeText.length} characters.`,
  };
}

function textOf(stream: string): string {
  return stream
    .split("\n\n")
    .map((event) => event.replace(/^(event: .*\n)?data: /, ""))
    .filter((json) => json.startsWith("{"))
    .map((json) => chunk.parse(JSON.parse(json)))
    .map(({ type, delta = "" }) => (type === "text-delta" ? delta : ""))
    .join("");
}

function mostAtOnce(visits: readonly Visit[]): number {
  const at = ({ from: moment }: Visit) =>
    visits.filter(({ from, to }) => from <= moment && moment < to).length;
  return Math.max(0, ...visits.map(at));
}

function addressOf(n: number): string {
  return `10.1.${n >> 8}.${n & 255}`;
}
