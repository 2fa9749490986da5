import { isDeepStrictEqual } from "node:util";
import type { Sql } from "postgres";
import { Random } from "@/lab/bench/random";
import { admittedSession } from "@/lib/chat/data/admitted-records";
import { exportEverything, importEverything } from "@/lib/chat/data/portable-data";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import { shownBy, withoutTimes } from "@/lib/postgres/portable/testing/full-owner";
import type { OwnerServices } from "@/lib/server/owner-services";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { makeRandomAccount } from "./random-account";
import { runTrials } from "./trials";

export const accountExports: Drill = {
  name: "exports",
  promise: "An export is complete: it comes back as the same account, and exports the same.",
  unit: "accounts",
  fullCount: 10_000,
  run: (options) =>
    onDrillDatabase(({ patientSql: sql }) => exportAccounts(sql, options), { isDurable: false }),
};

export async function exportAccounts(
  sql: Sql,
  { seed, ...options }: DrillOptions,
): Promise<DrillResult> {
  const figures = { accounts: 0, lines: 0, "lines of the longest": 0 };
  const { done, broken } = await runTrials(sql, options, {
    unit: "accounts",
    perBatch: 200,
    trial: async (number) => {
      const name = `seed ${seed + number}`;
      const [owner, copy] = [newOwner(sql, name), newOwner(sql, `copy of ${name}`)];
      try {
        await makeRandomAccount(owner, new Random(seed + number));
        const lines = await exported(owner);
        figures.lines += lines.length;
        figures["lines of the longest"] = Math.max(figures["lines of the longest"], lines.length);
        return (await differences(sql, { owner, copy, lines })).map((each) => `${name}: ${each}`);
      } catch (error) {
        return [`${name}: ${String(error)}`];
      }
    },
  });
  return { broken, figures: { ...figures, accounts: done } };
}

/** Imports `lines`, the export of `owner`. @returns a sentence for the first difference. */
export async function differences(
  sql: Sql,
  { owner, copy, lines }: { owner: OwnerServices; copy: OwnerServices; lines: readonly string[] },
): Promise<string[]> {
  const report = await importEverything(copy, given(lines), () => true);
  if (report.problemCount > 0 || report.sessions.failed > 0)
    return [`The export was not imported: ${JSON.stringify(report.problems[0])}`];
  const mode = await copy.defaultMemoryMode();
  const [before, after] = [comparable(lines, mode), comparable(await exported(copy), mode)];
  const at = before.findIndex((line, n) => line !== after[n]);
  if (at !== -1 || before.length !== after.length)
    return [`Line ${at} is exported as ${after[at]} instead of ${before[at]}`];
  const shown = await Promise.all([owner, copy].map(({ ownerId }) => shownBy(sql, ownerId)));
  return isDeepStrictEqual(shown[0], shown[1]) ? [] : ["The copy shows something else."];
}

async function* given(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** Each line with its end. */
export async function exported(owner: OwnerServices): Promise<string[]> {
  return Array.fromAsync(await exportEverything(owner));
}

/** A chat without what an import leaves out. */
function admitted(line: string, mode: MemoryMode): string {
  return `${JSON.stringify(admittedSession(JSON.parse(line), mode))}\n`;
}

/** Sessions by their ids: the database orders them by microseconds, an export has milliseconds. */
function comparable(lines: readonly string[], mode: MemoryMode): string[] {
  const groups: string[][] = [[]];
  const taken = lines.map((line) =>
    line.startsWith('{"type":"session",') ? admitted(line, mode) : line,
  );
  for (const line of withoutTimes(taken)) {
    if (line.startsWith('{"type":"session"')) groups.push([]);
    groups.at(-1)?.push(line);
    if (line.startsWith('{"type":"session-end"')) groups.push([]);
  }
  const idOf = ([first = ""]: readonly string[]) =>
    first.startsWith('{"type":"session"') ? first : "";
  return groups.toSorted((one, other) => idOf(one).localeCompare(idOf(other))).flat();
}
