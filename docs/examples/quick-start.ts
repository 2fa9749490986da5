import { SessionManager } from "grove-session";
import { connect, migrate, PostgresSessionStore } from "grove-session/postgres";

const sql = connect(process.env.DATABASE_URL ?? "postgres://localhost/postgres");
await migrate(sql);
const sessions = SessionManager.create(new PostgresSessionStore(sql, "ada"));
sessions.withContext("memory", { description: "Facts about Ada", scope: "owner" });
const session = sessions.getSession((await sessions.create("Tea")).id);
const text = (words: string) => [{ type: "text", text: words }];
await session.appendMessage({ id: "q1", role: "user", parts: text("How long does tea steep?") });
await session.appendMessage({ id: "a1", role: "assistant", parts: text("Three minutes.") });
await session.appendMessage({ id: "a2", role: "assistant", parts: text("Two, if green.") }, "q1");
await session.appendContextBlock("memory", "Drinks green tea.");
console.log(await session.freezeSystemPrompt(), await session.getModelHistory());
await sql.end();
