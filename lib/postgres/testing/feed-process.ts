import { createInterface } from "node:readline";
import { emittingStore } from "../../session";
import { connect } from "../connect";
import { Notifications } from "../notifications";
import { PostgresSessionStore } from "../postgres-session-store";
import { SessionFeed } from "../session-feed";

// A separate process for tests: appends a message for every line it reads, and prints a line for
// every append it receives.
const [url = "", ownerId = "", sessionId = ""] = process.argv.slice(2);
const sql = connect(url, { max: 2, onnotice: () => undefined });
const notifications = new Notifications(sql);
const events = new SessionFeed(notifications).of(ownerId);
const messages = emittingStore(new PostgresSessionStore(sql, ownerId), events).messages(sessionId);
events.on("append", ({ messageId }) => void process.stdout.write(`${messageId}\n`));
await notifications.start();
process.stdout.write("listening\n");
for await (const id of createInterface(process.stdin)) {
  await messages.appendMessage({ id, role: "user", parts: [{ type: "text", text: id }] });
}
await notifications.settled();
await sql.end();
