import type { AnswersFigures, Spread } from "./answers-bench";
import { atMost, count, type GoalResult, goalTable, ms, table } from "./report";
import type { RunsFigures } from "./runs-bench";

/** To the first text over the model, by messages of the history. */
const firstTextGoals: Readonly<Record<number, number>> = { 10: 12, 1000: 20, 10000: 100 };

export function answersReport({ turns, residentMemory, longAnswers }: AnswersFigures): string {
  const long = `${longAnswers} answers of ${count(Math.max(...turns.map((turn) => turn.history)))}`;
  const goals: GoalResult[] = [
    ...turns.map(({ history, addedToFirstText }) =>
      atMost(
        `question → first text over the model, ${count(history)} messages: ms`,
        addedToFirstText.p50,
        firstTextGoals[history] ?? 0,
      ),
    ),
    ...turns.flatMap(({ history, addedPerChunk, perChunkAtFullSpeed }) => [
      atMost(`each chunk, ${count(history)} messages, p95: ms`, addedPerChunk.p95, 5),
      atMost(`per chunk at full speed, ${count(history)} messages: ms`, perChunkAtFullSpeed, 1),
    ]),
    atMost(`resident memory after ${long}: MB`, residentMemory, 330),
  ];
  const rows: [string, ...string[]][] = [
    ["question sent → first text", ...turns.map((turn) => pair(turn.addedToFirstText))],
    ["each chunk, model → browser", ...turns.map((turn) => pair(turn.addedPerChunk))],
    ["per chunk at full speed", ...turns.map((turn) => ms(turn.perChunkAtFullSpeed))],
  ];
  const head = "p50 / p95 ms added to the model's own time";
  return [
    table([head, ...turns.map(({ history }) => count(history))], rows),
    goalTable(goals),
  ].join("\n\n");
}

export function runsReport({ together, programs, firstText, listing }: RunsFigures): string {
  const streams = [together, programs];
  const goals: GoalResult[] = [
    atMost(
      "first text of `/v1/responses` over the app's own: ms",
      firstText.program.p50 - firstText.app.p50,
      5,
    ),
    ...streams.flatMap(({ streams: number, addedPerChunk, cut }) => [
      atMost(`${number} streams at once, each chunk, p95: ms`, addedPerChunk.p95, 10),
      atMost(`${number} streams at once: cut`, cut, 0),
    ]),
    atMost("listing 1,000 items of a conversation: ms", listing.p50, 50),
    atMost("50 streams at once, resident memory: MB", together.residentMemory, 350),
  ];
  const rows = [
    ["app: question sent → first text", pair(firstText.app)],
    ["`/v1/responses` → first text", pair(firstText.program)],
    ["50 answers at once, each chunk", pair(together.addedPerChunk)],
    ["listing 1,000 items, 100 a page", pair(listing)],
    ["100 streams of `/v1` at once, each chunk", pair(programs.addedPerChunk)],
  ];
  return [table(["p50 / p95 ms added to the model's own time", ""], rows), goalTable(goals)].join(
    "\n\n",
  );
}

function pair({ p50, p95 }: Spread): string {
  return `${ms(p50)} / ${ms(p95)}`;
}
