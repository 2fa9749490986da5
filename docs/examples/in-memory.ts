import { convertToModelMessages, generateText } from "ai";
import { createCompactFunction, InMemorySessionStore, SessionManager } from "grove-session";

const model = "anthropic/claude-sonnet-4.5";
const summarize = (prompt: string) => generateText({ model, prompt }).then(({ text }) => text);

const sessions = SessionManager.create(new InMemorySessionStore())
  .withContext("soul", { provider: { get: async () => "You are a helpful assistant." } })
  .withContext("memory", {
    description: "Facts about the person",
    maxTokens: 1100,
    scope: "owner",
  })
  .withCachedPrompt()
  .onCompaction(createCompactFunction({ summarize }))
  .compactAfter({ share: 0.8, contextWindow: 200_000 })
  .withSearchableHistory("history");

const { id } = await sessions.create("Tea");
const session = sessions.getSession(id);
const text = (words: string) => [{ type: "text", text: words }];

await session.appendMessage({ id: "q1", role: "user", parts: text("How long does tea steep?") });
await session.appendAnswer([{ role: "assistant", content: "Three minutes." }], { id: "a1" });
// A second answer to the same question: a branch, nothing is overwritten.
const other = [{ role: "assistant", content: "Two, if green." }] as const;
await session.appendAnswer(other, { id: "a2", parentId: "q1" });

const instructions = await session.freezeSystemPrompt();
const messages = await convertToModelMessages(await session.getModelHistory());
const tools = { ...(await session.tools()), ...sessions.tools() };
// Hand these to a model, and its result to session.appendAnswer.
console.log(instructions, JSON.stringify(messages), Object.keys(tools));
