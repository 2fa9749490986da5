import { cpus, totalmem } from "node:os";
import type { AppFigures } from "./app-bench";
import { growth, type StorageFigures, storageGoals } from "./goals";
import type { Timing } from "./interleave";
import type { SearchTiming } from "./measure-search";
import type { StreamingCost } from "./measure-streaming";
import type { TurnTimes } from "./measure-turns";
import { type PageScripts, scriptBudgetBytes } from "./page-scripts";
import type { Memory } from "./process-memory";

/** What the figures hold for, in one line. */
export function machineLine(loads: readonly number[]): string {
  const [cpu] = cpus();
  const load = loads.map((value) => value.toFixed(1)).join(" before and ");
  return `${cpus().length} × ${cpu?.model ?? "unknown"}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.versions.node}; load ${load} after.`;
}

/** Figures of the storage as Markdown tables: milliseconds, and ratios to the floor of the same run. */
export function storageReport(figures: StorageFigures): string {
  const { timings, writers, streaming } = figures;
  const [select, insert] = timings;
  if (!select || !insert) return "";
  const sizes = [...new Set(timings.flatMap(({ messages }) => messages ?? []))];
  const names = [...new Set(timings.flatMap(({ name, messages }) => (messages ? name : [])))];
  const { appendsPerSecond, insertsPerSecond, lost } = writers;
  return [
    table(
      ["floor", "p50 ms", "p95 ms"],
      [select, insert].map(({ name, p50, p95 }) => [name, ms(p50), ms(p95)]),
    ),
    table(
      ["p50 / p95 ms (× select 1, × insert)", ...sizes.map(count), "growth"],
      names.map((name) => {
        const row = timings.filter((timing) => timing.name === name && timing.messages !== null);
        const cells = sizes.map((size) => {
          const timing = row.find(({ messages }) => messages === size);
          return timing ? cell(timing, { select, insert }) : "";
        });
        return [name, ...cells, growthOf(row)];
      }),
    ),
    `64 writers on one session: ${lost} messages lost, ${appendsPerSecond.toFixed(0)} appends a second against ${insertsPerSecond.toFixed(0)} plain inserts (${(appendsPerSecond / insertsPerSecond).toFixed(2)} ×).`,
    `Keeping an answer of 4 KB while it streams: ${cost(streaming.together)} four chunks a write, ${cost(streaming.alone)} each chunk alone, ${cost(streaming.rowUpdates)} by rewriting its row with indexed words, ${cost(streaming.plainUpdates)} by rewriting a row without.`,
    ...searchTable(figures.search),
    table(
      ["goal", "", ""],
      storageGoals(figures).map(({ goal, met, figure }) => [
        goal,
        met ? "met" : "**missed**",
        figure,
      ]),
    ),
  ].join("\n\n");
}

function searchTable(search: readonly SearchTiming[]): string[] {
  if (search.length === 0) return [];
  const totals = [...new Set(search.map(({ messages }) => messages))];
  const kinds = [...new Set(search.map(({ kind }) => kind))];
  const cellOf = (kind: string, total: number) => {
    const timing = search.find(({ kind: its, messages }) => its === kind && messages === total);
    return timing ? `${ms(timing.p50)} / ${ms(timing.p95)}` : "";
  };
  return [
    table(
      ["search, p50 / p95 ms, by messages of all owners", ...totals.map(count)],
      kinds.map((kind) => [kind, ...totals.map((total) => cellOf(kind, total))]),
    ),
  ];
}

/** Figures of the running app as Markdown. */
export function appReport(figures: AppFigures): string {
  const { buildMs, firstStartMs, laterStartMs, turns, pages, idleMemory, healthMs } = figures;
  return [
    table(
      ["start, until ready", "s"],
      [
        ["build, once for each version", buildMs === null ? "was there" : seconds(buildMs)],
        ["first start, empty folder", seconds(firstStartMs)],
        ["later start, median of 3", seconds(laterStartMs)],
      ],
    ),
    turnsTable(turns),
    `A request that only asks the database for \`select 1\` takes ${ms(healthMs)} ms over HTTP.`,
    idleMemory ? memoryTable(idleMemory) : "Memory is measured on Linux only.",
    sizeReport(pages),
  ].join("\n\n");
}

export function sizeReport(pages: readonly PageScripts[]): string {
  const budget = kilobytes(scriptBudgetBytes);
  return table(
    ["first-load JavaScript", "files", "gzipped", "budget"],
    pages.map(({ path, files, gzippedBytes }) => [
      `\`${path}\``,
      String(files),
      kilobytes(gzippedBytes),
      `${budget}${gzippedBytes > scriptBudgetBytes ? ": exceeded" : ""}`,
    ]),
  );
}

function turnsTable(turns: readonly TurnTimes[]): string {
  const pair = ({ p50, p95 }: { p50: number; p95: number }) => `${ms(p50)} / ${ms(p95)}`;
  return table(
    ["p50 / p95 ms added to the model's own time", ...turns.map(({ history }) => count(history))],
    [
      ["question sent → first text", ...turns.map((turn) => pair(turn.addedToFirstText))],
      ["each chunk, model → browser", ...turns.map((turn) => pair(turn.addedPerChunk))],
      ["per chunk at full speed", ...turns.map((turn) => ms(turn.perChunkAtFullSpeed))],
    ],
  );
}

function memoryTable({ app, launcher, postgres }: Memory): string {
  const row = (name: string, megabytes: number) => [name, megabytes.toFixed(0)];
  return table(
    ["memory of the idle server", "MB"],
    [
      row("server", app),
      row("launcher", launcher),
      row("Postgres, all processes", postgres),
      row("together", app + launcher + postgres),
    ],
  );
}

function cell(
  { p50, p95 }: Timing,
  { select, insert }: { select: Timing; insert: Timing },
): string {
  return `${ms(p50)} / ${ms(p95)} (${ratio(p50 / select.p50)}, ${ratio(p50 / insert.p50)})`;
}

function growthOf(row: readonly Timing[]): string {
  const exponent = growth(row);
  return Number.isNaN(exponent) ? "" : exponent.toFixed(2);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map((_, n) => (n === 0 ? "---" : "---:"))), ...rows.map(line)].join(
    "\n",
  );
}

function ms(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

function ratio(value: number): string {
  return value.toFixed(value < 10 ? 1 : 0);
}

function seconds(value: number): string {
  return (value / 1_000).toFixed(1);
}

function cost({ milliseconds, logBytes }: StreamingCost): string {
  return `${ms(milliseconds)} ms and ${kilobytes(logBytes)} of log`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KB`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}
