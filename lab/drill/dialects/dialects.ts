import { setTimeout as delay } from "node:timers/promises";
import type { Sql } from "grove-session/postgres";
import type { Drill, DrillOptions, DrillResult } from "@/lab/drill/drill";
import { onDrillDatabase } from "@/lab/drill/drill-database";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { Random } from "@/lib/text/testing/random";
import { DialectChat } from "./dialect-chat";
import { type DialectServer, startDialectServer } from "./dialect-server";
import { dialects as table } from "./dialect-table";
import { mutatedStream } from "./mutated-stream";
import { isAnswered, situations } from "./situations";

const matrix = table.flatMap((dialect) => situations.map((situation) => ({ dialect, situation })));

const atOnce = 6;
const mostProblems = 40;
const longestMs = 60_000;

export const matrixSize = matrix.length;

export const dialects: Drill = {
  name: "dialects",
  promise:
    "Every server answers in every situation, however strict it is and however odd its streams are.",
  unit: "chats",
  fullCount: matrixSize * 24,
  run: (options) =>
    onDrillDatabase(({ patientSql: sql }) => runDialects(sql, options), { isDurable: false }),
};

/** Every place of the matrix once as documented, then again with mutated streams and other histories. */
export async function runDialects(
  sql: Sql,
  { count, seed, signal, say }: DrillOptions,
): Promise<DrillResult> {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const server = await startDialectServer();
  const broken: string[] = [];
  const figures = { chats: 0, "accepted requests": 0, "asked again without": 0, "longest (ms)": 0 };
  let next = 0;
  const work = async () => {
    for (let n = next++; n < count && !signal.aborted; n = next++) {
      if (broken.length >= mostProblems) return;
      if (n > 0 && n % matrixSize === 0) say(`${n} of ${count}`);
      const startedAt = performance.now();
      const found = await tryPlace(sql, { server, n, seed });
      figures["longest (ms)"] = Math.max(figures["longest (ms)"], performance.now() - startedAt);
      figures.chats++;
      figures["accepted requests"] += found.accepted;
      figures["asked again without"] += found.refused;
      broken.push(...found.broken);
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    await server.close();
  }
  return { broken, figures };
}

async function tryPlace(
  sql: Sql,
  { server, n, seed }: { server: DialectServer; n: number; seed: number },
): Promise<{ broken: string[]; accepted: number; refused: number }> {
  const place = matrix[n % matrixSize];
  if (!place) return { broken: ["The matrix is empty."], accepted: 0, refused: 0 };
  const { dialect, situation } = place;
  const round = Math.floor(n / matrixSize);
  const random = new Random(seed + n);
  const mutate = round === 0 ? undefined : mutatedStream(random, dialect.wire);
  const served = server.add({ dialect, replies: situation.replies, mutate });
  const chat = new DialectChat(sql, dialect, served);
  const answer = await Promise.race([
    situation.act(chat, served, seed + n).catch((error: unknown) => ({ fault: String(error) })),
    delay(longestMs, "late" as const, { ref: false }),
  ]);
  const refused = served.refusals.map(({ feature }) => feature);
  const twice = refused.filter((feature, at) => refused.indexOf(feature) !== at);
  const problems = [
    ...new Set(served.problems),
    ...problemsOf(answer, (whole) => isAnswered(situation, served, whole)),
    ...(twice.length > 0 && situation.name !== "several at once"
      ? [`It was asked again for ${twice.join()}.`]
      : []),
    ...chat.process.failures.map((failure) => `The server reports ${String(failure)}`),
  ];
  const named = `${dialect.name}, ${situation.name}${round > 0 ? `, seed ${seed} number ${n}` : ""}`;
  return {
    broken: problems.map((problem) => `${named}: ${problem}`),
    accepted: served.accepted.length,
    refused: refused.length,
  };
}

function problemsOf(
  answer: GroveMessage | null | "late" | { fault: string },
  isGood: (answer: GroveMessage | null) => boolean,
): string[] {
  if (answer === "late") return [`No answer within ${longestMs / 1_000} s.`];
  if (answer !== null && "fault" in answer) return [answer.fault];
  if (isGood(answer)) return [];
  const { error, status } = answer?.metadata ?? {};
  return [`The answer is ${status} ${JSON.stringify(error)} ${JSON.stringify(answer?.parts)}`];
}
