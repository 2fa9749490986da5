import { setImmediate } from "node:timers/promises";
import type { Sql } from "postgres";
import { brokenInvariants } from "./broken-invariants";
import type { DrillOptions } from "./drill";

interface Trials {
  readonly unit: string;
  /** Between two checks of the whole database. */
  readonly perBatch: number;
  /** @returns a sentence for each difference. */
  readonly trial: (number: number) => Promise<readonly string[]>;
}

const atOnce = 8;
const mostProblems = 20;

/**
 * Runs trials, numbered from 0, several at once. After each batch no row of the database may break an invariant; then all are
 * deleted.
 */
export async function runTrials(
  sql: Sql,
  { count, signal, say }: Pick<DrillOptions, "count" | "signal" | "say">,
  { unit, perBatch, trial }: Trials,
): Promise<{ done: number; broken: string[] }> {
  const broken: string[] = [];
  const isOver = () => signal.aborted || broken.length >= mostProblems;
  let done = 0;
  while (done < count && !isOver()) {
    const end = Math.min(count, done + perBatch);
    const work = async () => {
      while (done < end && !isOver()) {
        const number = done++;
        broken.push(...(await trial(number)));
        await setImmediate();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    broken.push(...(await brokenInvariants(sql)));
    await deleteAllRows(sql);
    say(`${done.toLocaleString("en")} ${unit}`);
  }
  return { done, broken };
}

async function deleteAllRows(sql: Sql): Promise<void> {
  const [row] = await sql<[{ statement: string }]>`
    select 'truncate ' || string_agg(format('%I', tablename), ', ') as statement
    from pg_tables
    where schemaname = 'public' and starts_with(tablename, 'chat_')`;
  await sql.unsafe(row.statement);
}
