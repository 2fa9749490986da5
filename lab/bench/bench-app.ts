import type { Sql } from "grove-session/postgres";
import { PostgresSessionStore } from "grove-session/postgres";
import { ensureBuild } from "@/lib/commands/ensure-build";
import {
  type GroveProcess,
  startGrove,
  withTemporaryFolder,
} from "@/lib/commands/testing/grove-process";
import { connect } from "@/lib/postgres/connect";
import { migrate } from "@/lib/postgres/migrate";
import { startEmbeddedPostgres } from "@/lib/storage/embedded/start-embedded-postgres";
import { offerModel } from "./app-bench";
import { type ModelServer, startModelServer } from "./model-server";

export interface BenchOptions {
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** A built app with a model that it offers as `ref`. */
export interface BenchApp {
  readonly grove: GroveProcess;
  readonly model: ModelServer;
  readonly ref: string;
}

interface Given<Seeded> {
  readonly seed: (store: PostgresSessionStore) => Promise<Seeded>;
  readonly environment?: Record<string, string>;
  readonly modelCount?: number;
}

export async function onBenchApp<Seeded, Figures>(
  { signal, say }: BenchOptions,
  { seed, environment, modelCount = 1 }: Given<Seeded>,
  measure: (app: BenchApp, seeded: Seeded) => Promise<Figures>,
): Promise<Figures> {
  await ensureBuild({ projectDir: process.cwd(), environment: process.env, signal, say });
  const model = await startModelServer();
  for (let n = 1; n < modelCount; n++) model.models.push(`${model.modelId}-${n}`);
  try {
    return await withTemporaryFolder(async (dataDir) => {
      const seeded = await onBenchDatabase(dataDir, async (sql) => {
        const made = await seed(new PostgresSessionStore(sql, "local"));
        // Autovacuum would do this within a minute.
        await sql`vacuum analyze`;
        return made;
      });
      const named = {
        OPENAI_COMPATIBLE_NAME: "bench",
        OPENAI_COMPATIBLE_BASE_URL: model.baseUrl,
      };
      const grove = await startGrove({ dataDir, environment: { ...named, ...environment } });
      try {
        const ref = await offerModel(grove.address, model.modelId);
        return await measure({ grove, model, ref }, seeded);
      } finally {
        await grove.stop();
      }
    });
  } finally {
    await model.close();
  }
}

/** Runs on a Postgres with production settings and the schema of the app. */
export async function onBenchDatabase<Result>(
  dataDir: string,
  use: (sql: Sql, url: string) => Promise<Result>,
): Promise<Result> {
  const server = await startEmbeddedPostgres({ dataDir });
  const sql = connect(server.url, { max: 10, onnotice: () => undefined });
  try {
    await migrate(sql);
    return await use(sql, server.url);
  } finally {
    await sql.end({ timeout: 1 });
    await server.stop();
  }
}
