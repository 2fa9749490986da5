import { connect, migrate, PostgresSessionStore } from "@/lib/postgres";
import { SessionManager } from "@/lib/session";

const sql = connect(process.env.DATABASE_URL ?? "postgres://localhost/sessions");
await migrate(sql);

const sessions = SessionManager.create(new PostgresSessionStore(sql, "owner-1"))
  .withContext("memory", { description: "Learned facts", scope: "owner" })
  .withCachedPrompt();
const { id } = await sessions.create("Tea");
const session = sessions.getSession(id);
await session.appendMessage({
  id: "q1",
  role: "user",
  parts: [{ type: "text", text: "How long does tea steep?" }],
});
await session.appendContextBlock("memory", "Drinks green tea.");

const [hit] = await sessions.search("tea");
process.stdout.write(`${await session.freezeSystemPrompt()}\n\n${hit?.content}\n`);
await sql.end();
