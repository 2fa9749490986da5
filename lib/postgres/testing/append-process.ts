import { once } from "node:events";
import { connect } from "../connect";
import { PostgresSessionStore } from "../postgres-session-store";

// A separate process for tests: prints "ready", waits for a line and appends messages named after
// it, half of them concurrently.
const [url = "", ownerId = "", sessionId = "", name = "", count = "0"] = process.argv.slice(2);
const sql = connect(url, { max: 4, onnotice: () => undefined });
const messages = new PostgresSessionStore(sql, ownerId).messages(sessionId);
const ids = Array.from({ length: Number(count) }, (_, n) => `${name}-${n}`);
const append = (id: string) =>
  messages.appendMessage({ id, role: "user", parts: [{ type: "text", text: id }] });

await sql`select 1`;
process.stdout.write("ready\n");
await once(process.stdin, "data");
const half = ids.length / 2;
await Promise.all(ids.slice(0, half).map(append));
for (const id of ids.slice(half)) await append(id);
await sql.end();
process.stdin.destroy();
