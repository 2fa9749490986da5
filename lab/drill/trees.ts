import fc from "fast-check";
import type { Sql } from "postgres";
import { PostgresSessionStore } from "@/lib/postgres";
import { deleteOwner } from "@/lib/postgres/internal";
import { runTreeProgram } from "@/lib/session/testing/programs/run-tree-program";
import { type TreeStep, treePrograms } from "@/lib/session/testing/programs/tree-program";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { runTrials } from "./trials";

/** Mostly short: ten of those run in the time of a long one. */
const programs = fc.oneof(
  { weight: 8, arbitrary: treePrograms(12) },
  { weight: 2, arbitrary: treePrograms(30) },
  { weight: 1, arbitrary: treePrograms(100) },
);

export const trees: Drill = {
  name: "trees",
  promise: "Editing, branching and deleting never lose or strand a message.",
  unit: "programs",
  fullCount: 100_000,
  run: (options) =>
    onDrillDatabase(({ patientSql: sql }) => runTreePrograms(sql, options), { isDurable: false }),
};

export async function runTreePrograms(
  sql: Sql,
  { seed, ...options }: DrillOptions,
): Promise<DrillResult> {
  let commands = 0;
  const problemOf = (program: readonly TreeStep[], owner: string) =>
    runTreeProgram(new PostgresSessionStore(sql, owner), program, { isQuick: true }).then(
      () => null,
      (error: unknown) => String(error),
    );
  const { done, broken } = await runTrials(sql, options, {
    unit: "programs",
    perBatch: 1_000,
    trial: async (number) => {
      const [program = []] = fc.sample(programs, { seed: seed + number, numRuns: 1 });
      commands += program.length;
      const problem = await problemOf(program, `seed ${seed + number}`);
      if (problem === null) return [];
      const fails = async (shorter: readonly TreeStep[]) => {
        const owner = crypto.randomUUID();
        const isBroken = (await problemOf(shorter, owner)) !== null;
        await deleteOwner(sql, owner);
        return isBroken;
      };
      const least = JSON.stringify(await shortest(program, fails));
      return [`Seed ${seed + number}: ${problem} So does ${least}.`];
    },
  });
  return { broken, figures: { programs: done, commands } };
}

/** Without the commands that it fails without, too. */
async function shortest(
  program: readonly TreeStep[],
  fails: (program: readonly TreeStep[]) => Promise<boolean>,
): Promise<readonly TreeStep[]> {
  for (let at = program.length - 1; at >= 0; at--) {
    const shorter = program.toSpliced(at, 1);
    if (await fails(shorter)) return shortest(shorter, fails);
  }
  return program;
}
