import { connect } from "@/lib/postgres/connect";
import { startEmbeddedPostgres } from "@/lib/postgres/embedded/start-embedded-postgres";
import { migrate } from "@/lib/postgres/migrate";
import type { Timing } from "./interleave";
import { measureStorage, type StorageMeasure } from "./measure-storage";
import { measureWriters, type WritersResult } from "./measure-writers";
import { withTemporaryFolder } from "./temporary-folder";

/** Starts a database of its own with the settings of a real one, measures it and deletes it. */
export function storageBench(
  options: StorageMeasure,
): Promise<{ timings: Timing[]; writers: WritersResult }> {
  return withTemporaryFolder(async (dataDir) => {
    const server = await startEmbeddedPostgres({ dataDir });
    const sql = connect(server.url, { max: 10, onnotice: () => undefined });
    const timed = connect(server.url, { max: 1, onnotice: () => undefined });
    try {
      await migrate(sql);
      const timings = await measureStorage({ sql, timed }, options);
      return { timings, writers: await measureWriters(sql) };
    } finally {
      await Promise.all([sql.end({ timeout: 1 }), timed.end({ timeout: 1 })]);
      await server.stop();
    }
  });
}
