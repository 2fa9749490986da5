import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import { z } from "zod";
import { leaseMs } from "@/lib/chat/runs/lease";
import { chatProcess, newOwner } from "@/lib/chat/testing/chat-fixture";
import { recoverRuns } from "@/lib/server/recover-runs";
import { RunClaims } from "@/lib/storage/runs/run-claims";
import { Random } from "@/lib/text/testing/random";
import { numberedAnswer } from "./answer-viewer";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";

const atOnce = 12;
const betweenLooksMs = 250;
const settledWithinMs = 60_000;
const { pace, text: wholeText, writingMs } = numberedAnswer({ words: 60, pauseMs: 25 });

export const frozen: Drill = {
  name: "frozen",
  promise: "An answer whose process stands still for longer than its lease ends once.",
  unit: "answers",
  fullCount: 240,
  run: (options) =>
    onDrillDatabase(({ patientSql: sql, url }) => runFrozen(options, { sql, url }), {
      isDurable: false,
    }),
};

interface Place {
  readonly sql: Sql;
  readonly url: string;
}

async function runFrozen(
  { count, seed, signal, say }: DrillOptions,
  place: Place,
): Promise<DrillResult> {
  const broken: string[] = [];
  const figures = { "cut off": 0, whole: 0, "last end (ms)": 0 };
  for (let first = 0; first < count && !signal.aborted; first += atOnce) {
    const length = Math.min(atOnce, count - first);
    const ids = Array.from({ length }, (_, n) => `${seed}-${first + n}`);
    const ownerId = `frozen-${first}`;
    const { before, after, endMs } = await freeze(place, {
      ...{ ids, ownerId },
      afterMs: new Random(seed + first).below(writingMs * 3),
    });
    broken.push(...ids.flatMap((id) => problemsOf(id, before, after)));
    for (const id of ids) figures[after.get(id)?.text === wholeText ? "whole" : "cut off"]++;
    figures["last end (ms)"] = Math.max(figures["last end (ms)"], endMs);
    say(`${first + length} answers`);
  }
  return { broken, figures };
}

interface Frozen {
  readonly ids: readonly string[];
  readonly ownerId: string;
  readonly afterMs: number;
}

/** Returns the answers as another process has ended them, and once their own has gone on. */
async function freeze(
  { sql, url }: Place,
  { ids, ownerId, afterMs }: Frozen,
): Promise<{ before: Stored; after: Stored; endMs: number }> {
  const args = ["--import", "tsx", "lab/drill/frozen-process.ts", url, ownerId, ids.join(" ")];
  const child = spawn(process.execPath, [...args, `${pace.words}`, `${pace.pauseMs}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  try {
    await once(child.stdout, "data");
    await delay(afterMs);
    child.kill("SIGSTOP");
    const frozenAt = performance.now();
    await endAll(sql, ownerId);
    const endMs = performance.now() - frozenAt;
    const before = await storedAnswers(sql, ownerId);
    child.kill("SIGCONT");
    await ended;
    return { before, after: await storedAnswers(sql, ownerId), endMs };
  } finally {
    child.kill("SIGKILL");
  }
}

async function endAll(sql: Sql, ownerId: string): Promise<void> {
  const { runner } = chatProcess();
  const claims = new RunClaims(sql, { leaseMs });
  const { runs } = newOwner(sql, ownerId);
  const giveUpAt = performance.now() + settledWithinMs;
  while ((await runs.running()).length > 0 && performance.now() < giveUpAt) {
    await recoverRuns({ claims, runner, dataOf: (id) => newOwner(sql, id) });
    await delay(betweenLooksMs);
  }
}

interface StoredAnswer {
  readonly status: string;
  readonly runStatus: string;
  readonly text: string;
  readonly content: string;
}

type Stored = ReadonlyMap<string, StoredAnswer>;

const contentSchema = z.object({
  parts: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  metadata: z.looseObject({ status: z.string() }),
});

async function storedAnswers(sql: Sql, ownerId: string): Promise<Stored> {
  const rows = await sql<{ id: string; runStatus: string; content: string }[]>`
    select message.id, run.status as "runStatus", message.content
    from chat_run run
    join chat_message message
      on message.owner_id = run.owner_id and message.session_id = run.session_id and message.id = run.message_id
    where run.owner_id = ${ownerId}`;
  return new Map(
    rows.map(({ id, runStatus, content }) => {
      const { parts, metadata } = contentSchema.parse(JSON.parse(content));
      const text = parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
      return [id, { status: metadata.status, runStatus, text, content }];
    }),
  );
}

function problemsOf(id: string, before: Stored, after: Stored): string[] {
  const [ended, left] = [before.get(id), after.get(id)];
  if (!ended || !left) return [`${id} had not ended while its process stood still.`];
  return [
    ...(left.content === ended.content ? [] : [`${id} changed after its end.`]),
    ...(left.runStatus === ended.runStatus ? [] : [`The run of ${id} ended again.`]),
    ...(left.status === left.runStatus ? [] : [`${id} is ${left.status}, its run not.`]),
    ...(wholeText.startsWith(left.text) ? [] : [`${id} holds other words than its model wrote.`]),
  ];
}
