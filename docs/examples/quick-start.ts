import { SessionManager } from "grove-session";
import { connect, migrate, PostgresSessionStore } from "grove-session/postgres";

const sql = connect(process.env.DATABASE_URL ?? "postgres://localhost/postgres");
await migrate(sql);
const sessions = SessionManager.create(new PostgresSessionStore(sql, "ada"))
  .withContext("memory", { description: "Facts about Ada", scope: "owner" })
  .withCachedPrompt();
const session = sessions.getSession((await sessions.create("Tea")).id);
const question = [{ type: "text", text: "How long does tea steep?" }];
await session.appendMessage({ id: "q1", role: "user", parts: question });
// In place of the messages: a result of generateText or streamText.
await session.appendAnswer([{ role: "assistant", content: "Three minutes." }], { id: "a1" });
const other = [{ role: "assistant", content: "Two, if green." }] as const;
await session.appendAnswer(other, { id: "a2", parentId: "q1" });
await session.replaceContextBlock("memory", "Drinks green tea.");
// The prompt stays as it is now, which is cheap for a model; refreshSystemPrompt() reads the memory again.
console.log(await session.freezeSystemPrompt(), await session.getModelHistory());
await sql.end();
