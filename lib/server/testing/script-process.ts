import { createInterface } from "node:readline";
import { emittingStore, Session } from "grove-session";
import { connect, Notifications, PostgresSessionStore, SessionFeed } from "grove-session/postgres";

// A separate process for tests that uses the library: prints a line for every block write and, for every line it reads,
// appends a message and a line of memory.
const [url = "", ownerId = "", sessionId = ""] = process.argv.slice(2);
const sql = connect(url, { max: 2, onnotice: () => undefined });
const notifications = new Notifications(sql);
const events = new SessionFeed(notifications).of(ownerId);
const session = Session.create(emittingStore(new PostgresSessionStore(sql, ownerId), events))
  .forSession(sessionId)
  .withContext("memory", { scope: "owner" });
session.on("block-write", ({ label, key = "", action, author = "" }) => {
  process.stdout.write(`${[label, key, action, author].join(" ")}\n`);
});
await notifications.start();
process.stdout.write("listening\n");
for await (const text of createInterface(process.stdin)) {
  await session.appendMessage({ id: text, role: "user", parts: [{ type: "text", text }] });
  await session.appendContextBlock("memory", text);
}
await notifications.settled();
await sql.end();
