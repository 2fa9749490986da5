import { connect } from "@/lib/postgres/connect";
import { startEmbeddedPostgres } from "@/lib/postgres/embedded/start-embedded-postgres";
import { migrate } from "@/lib/postgres/migrate";
import type { StorageFigures } from "./goals";
import { measureSearch } from "./measure-search";
import { measureStorage, type StorageMeasure } from "./measure-storage";
import { measureStreaming } from "./measure-streaming";
import { measureWriters } from "./measure-writers";
import { withTemporaryFolder } from "./temporary-folder";

export interface StorageBench extends StorageMeasure {
  /** Sizes of the corpora to search, in messages of all owners; none to leave search out. */
  searchTotals: readonly number[];
}

/** Starts a database of its own with the settings of a real one, measures it and deletes it. */
export function storageBench(options: StorageBench): Promise<StorageFigures> {
  return withTemporaryFolder(async (dataDir) => {
    const server = await startEmbeddedPostgres({ dataDir });
    const sql = connect(server.url, { max: 10, onnotice: () => undefined });
    const timed = connect(server.url, { max: 1, onnotice: () => undefined });
    const relaxed = connect(server.url, { max: 1, onnotice: () => undefined });
    try {
      await migrate(sql);
      const { timings, forkBytes } = await measureStorage({ sql, timed }, options);
      options.say("Letting 64 writers write, and streaming answers.");
      const writers = await measureWriters(sql);
      const streaming = await measureStreaming(timed, relaxed);
      const search =
        options.searchTotals.length === 0
          ? []
          : await measureSearch({ sql, timed }, { ...options, totals: options.searchTotals });
      return { timings, forkBytes, writers, streaming, search };
    } finally {
      await Promise.all([sql, timed, relaxed].map((pool) => pool.end({ timeout: 1 })));
      await server.stop();
    }
  });
}
