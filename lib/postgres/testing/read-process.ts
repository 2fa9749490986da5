import { connect } from "../connect";
import { PostgresSessionStore } from "../postgres-session-store";

// A separate process for tests, started with --expose-gc: warms up on a short session, then reads
// windows and the whole history of a long one, and prints the memory each took in megabytes: all
// for the windows, that in use for the history.
const [url = "", ownerId = "", short = "", long = ""] = process.argv.slice(2);
const sql = connect(url, { max: 1, onnotice: () => undefined });
const store = new PostgresSessionStore(sql, ownerId);
const pages = 5;

async function readWindows(session: string): Promise<number> {
  let read = 0;
  let beforePosition = Number.MAX_SAFE_INTEGER;
  for (let page = 0; page < pages; page++) {
    const { entries } = await store.messages(session).getWindow({ beforePosition });
    read += entries.length;
    beforePosition = entries[0]?.position ?? 0;
  }
  return read;
}

async function readHistory(session: string): Promise<{ read: number; inUse: number }> {
  let read = 0;
  let inUse = 0;
  for await (const batch of store.messages(session).iterateHistory()) {
    read += batch.length;
    if (read % 5_000 === 0) inUse = Math.max(inUse, megabytesInUse());
  }
  return { read, inUse };
}

function megabytesInUse(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

await readWindows(short);
await readHistory(short);
const inUse = megabytesInUse();
const resident = process.memoryUsage().rss / 2 ** 20;
const windows = await readWindows(long);
const held = process.memoryUsage().rss / 2 ** 20 - resident;
const history = await readHistory(long);
process.stdout.write(
  JSON.stringify({
    windows: { read: windows, megabytes: held },
    history: { read: history.read, megabytes: history.inUse - inUse },
  }),
);
await sql.end();
