import type { AccountsFigures } from "./accounts-bench";
import type { AnswersFigures, Spread } from "./answers-bench";
import type { FilesFigures } from "./files-bench";
import type { FilesPageFigures } from "./files-page-bench";
import type { KnowledgeFigures } from "./knowledge-bench";
import { atMost, count, type GoalResult, goalTable, ms, table } from "./report";
import type { ProgramsFigures, RunsFigures } from "./runs-bench";

/** Milliseconds to the first text over the model, by messages of the history. */
const firstTextGoals: Readonly<Record<number, number>> = { 10: 12, 1000: 20, 10000: 100 };

export function answersReport(figures: AnswersFigures): string {
  const { turns, residentMemory, memoryAtRest, longAnswers } = figures;
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
    atMost(`resident memory half a minute after ${long}: MB`, memoryAtRest, 330),
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

export function runsReport({ together }: RunsFigures): string {
  const goals: GoalResult[] = [
    ...streamsGoals(together),
    atMost("50 streams at once, resident memory: MB", together.residentMemory, 350),
  ];
  const rows = [
    ["50 answers at once, each chunk", pair(together.addedPerChunk)],
    ["the same straight from the model", pair(together.floor)],
  ] as const;
  return [table(["p50 / p95 ms added to the model's own time", ""], rows), goalTable(goals)].join(
    "\n\n",
  );
}

export function programsReport({ streams, firstText, beside, listing }: ProgramsFigures): string {
  const goals: GoalResult[] = [
    atMost(
      "first text of `/v1/responses` over the app's own: ms",
      firstText.program.p50 - firstText.app.p50,
      5,
    ),
    ...streamsGoals(streams),
    atMost(
      "a person's first text beside 8 answers of a program: × alone",
      beside.beside.p50 / beside.alone.p50,
      1.2,
    ),
    atMost("listing 1,000 items of a conversation: ms", listing.items.p50, 50),
  ];
  const rows = [
    ["app: question sent → first text", pair(firstText.app)],
    ["`/v1/responses` → first text", pair(firstText.program)],
    ["a person's question → first text, alone", pair(beside.alone)],
    ["the same beside 8 answers of a program", pair(beside.beside)],
    ["listing 1,000 items, 100 a page", pair(listing.items)],
    ["as many requests for the conversation alone", pair(listing.floor)],
    ["100 streams of `/v1` at once, each chunk", pair(streams.addedPerChunk)],
    ["the same straight from the model", pair(streams.floor)],
  ] as const;
  return [table(["p50 / p95 ms added to the model's own time", ""], rows), goalTable(goals)].join(
    "\n\n",
  );
}

function streamsGoals({
  streams,
  addedPerChunk,
  floor,
  cut,
}: RunsFigures["together"]): GoalResult[] {
  const what = `${streams} streams at once, each chunk, p95 over that straight from the model: ms`;
  return [
    atMost(what, addedPerChunk.p95 - floor.p95, 10),
    atMost(`${streams} streams at once: cut`, cut, 0),
  ];
}

export function filesReport({
  pdfMs,
  pdfPages,
  image,
  chatsPerSecond,
  append,
}: FilesFigures): string {
  const rows = [
    [`PDF of 10 MB, ${count(pdfPages)} pages, stored and read`, ms(pdfMs)],
    ["image of 5 MB, stored", pair(image)],
    ["append without files, before and after", `${ms(append.before)} / ${ms(append.after)}`],
    ["imported chats of 10 messages, per second", count(Math.round(chatsPerSecond))],
  ] as const;
  const goals: GoalResult[] = [
    atMost("PDF of 10 MB stored and read: ms", pdfMs, 3_000),
    atMost("imported chat: ms", 1_000 / chatsPerSecond, 5),
    atMost("append after files were stored, × before", append.after / append.before, 1.2),
  ];
  return [table(["p50 / p95 ms", ""], rows), goalTable(goals)].join("\n\n");
}

export function filesPageReport({ slowdown, upload, open, preview }: FilesPageFigures): string {
  const attaching = `${upload.images} images of ${upload.megabytes} MB`;
  const chat = `a chat of ${open.images} images at ${slowdown} × slower processor`;
  const rows = [
    [`${attaching} attached until stored`, ms(upload.readyMs)],
    [`${attaching}: longest task`, ms(upload.longestTask)],
    [`${chat}: live`, ms(open.liveMs)],
    [`${chat}: images in view painted`, ms(open.imagesMs)],
    [`${chat}: longest task`, ms(open.longestTask)],
    ...(preview ? previewRows(preview) : []),
  ];
  const goals: GoalResult[] = [
    atMost(`${attaching} attached: longest task in ms`, upload.longestTask, 100),
    atMost(`${chat}, open with its images: ms`, open.imagesMs, 1_000),
    atMost(`${chat}: layout shift`, open.shift, 0),
  ];
  return [table(["files in the page, ms", ""], rows), goalTable(goals)].join("\n\n");
}

function previewRows(preview: NonNullable<FilesPageFigures["preview"]>): string[][] {
  const { chats, bytes, seconds, addedMegabytes, longestTask } = preview;
  const read = `an export of ${count(chats)} chats, ${(bytes / 1e9).toFixed(2)} GB`;
  return [
    [`${read}: preview`, ms(1_000 * seconds)],
    [`${read}: MB the page needs for it`, addedMegabytes.toFixed(0)],
    [`${read}: longest task`, ms(longestTask)],
  ];
}

export function accountsReport({ identify, rights, limits, signIn }: AccountsFigures): string {
  const rows = [
    ["knowing who asks", pair(identify)],
    ["rights of an owner", pair(rights)],
    ["limits, with 10,000 calls this month", pair(limits)],
    ["signing in with a password", pair(signIn)],
  ] as const;
  const goals: GoalResult[] = [
    atMost("knowing who asks: ms", identify.p50, 1),
    atMost("signing in: ms", signIn.p50, 500),
  ];
  return [table(["p50 / p95 ms", ""], rows), goalTable(goals)].join("\n\n");
}

export function knowledgeReport({
  questions,
  documents,
  recall,
  byLanguage,
  missed,
  latencies,
}: KnowledgeFigures): string {
  const share = (value: number) => value.toFixed(2);
  const rows = [
    [`recall@5 of words, ${questions} questions over ${count(documents)} documents`, share(recall)],
    ...byLanguage.map((each) => [`the same, ${each.language}`, share(each.recall)]),
    ...latencies.map((each) => [`search of 100,000 pages, words: ${each.words}`, pair(each)]),
  ];
  const goals: GoalResult[] = [
    atMost("questions without their page among five, share", 1 - recall, 0.2),
    ...latencies.map(({ words, p95 }) =>
      atMost(`search of 100,000 pages, ${words} words, p95: ms`, p95, 20),
    ),
  ];
  return [
    table(["share, or p50 / p95 ms", ""], rows),
    goalTable(goals),
    ["Missed:", ...missed].join("\n- "),
  ].join("\n\n");
}

function pair({ p50, p95 }: Spread): string {
  return `${ms(p50)} / ${ms(p95)}`;
}
