import { asSpace } from "@/lib/chat/core/person-in-space";
import { PostgresRunStore } from "@/lib/storage/runs/postgres-run-store";
import { PostgresUsage } from "@/lib/storage/runs/postgres-usage";
import { PostgresSettings } from "@/lib/storage/settings/postgres-settings";
import { user } from "../../../session/testing";
import type { Sql } from "../../connections/sql";
import { PostgresBlocks } from "../../memory/blocks";
import {
  PostgresContextProvider,
  PostgresSearchProvider,
  PostgresSkillProvider,
} from "../../memory/entries";
import { PostgresSessionStore } from "../../postgres-session-store";
import { exportLines } from "../export-records";

export async function exportedLines(
  sql: Sql,
  ownerId: string,
  sessionId?: string,
): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(sql, { ownerId, sessionId })) lines.push(line);
  return lines;
}

/** Export lines without the header and the times of change. */
export const withoutTimes = (lines: readonly string[]) =>
  lines.slice(1).map((line) => line.replace(/"updatedAt":"[^"]*"/, ""));

export async function shownBy(sql: Sql, owner: string): Promise<unknown> {
  const store = new PostgresSessionStore(sql, owner);
  const { sessions } = await store.sessions.list({ limit: 100 });
  const shown = await Promise.all(
    sessions.map(async ({ id, name, tags, messageCount, forkedAtMessageId }) => {
      const messages = store.messages(id);
      const leaves = await messages.getLeaves();
      return {
        id,
        name,
        tags,
        messageCount,
        forkedAtMessageId,
        tree: await messages.getTree(),
        active: (await messages.getLatestLeaf())?.id,
        skills: await messages.getLoadedSkills(),
        paths: await Promise.all(
          leaves.map(async ({ id: leaf }) => ({
            leaf,
            lines: await messages.getHistory(leaf),
            length: await messages.getPathLength(leaf),
          })),
        ),
      };
    }),
  );
  return shown.toSorted((first, second) => first.id.localeCompare(second.id));
}

/** An owner with a branched, compacted, forked session and every kind of memory. */
export async function fullOwner(sql: Sql): Promise<string> {
  const owner = crypto.randomUUID();
  const store = new PostgresSessionStore(sql, owner);
  await store.sessions.create("Tea", { id: "tea", tags: ["drinks"], source: "web" });
  const messages = store.messages("tea");
  for (const id of ["q1", "q2", "q3", "q4"]) await messages.appendMessage(user(id, `Text ${id}`));
  await messages.appendMessage(user("b1", "Another\u0000 way, \ud800 half"), "q2");
  await messages.addCompaction("What was said", "q1", "q2", { tokensBefore: 9 });
  await messages.setPinned("q1", true);
  await messages.setLabel("q3", "here");
  await messages.recordSkillEvent({ label: "skills", key: "k" }, "load");
  await messages.deleteMessages(["q4"]);
  const todos = new PostgresContextProvider(sql, {
    ownerId: owner,
    label: "todos",
    sessionId: "tea",
  });
  await todos.set("- [ ] drink", { provenance: { author: "model" } });
  const blocks = new PostgresBlocks(sql, owner);
  const plan = { label: "plan", description: "Steps", kind: "writable", writers: "both" } as const;
  const ofSession = { sessionId: "tea", scope: "session" } as const;
  const everywhere = { sessionId: null, scope: "owner" } as const;
  await blocks.create({ ...plan, ...ofSession, maxTokens: 200 });
  const recipes = { label: "recipes", kind: "searchable", maxTokens: null } as const;
  await blocks.create({ ...plan, ...everywhere, ...recipes });
  const gone = await blocks.create({ ...plan, ...everywhere, label: "dropped", maxTokens: 100 });
  const dropped = new PostgresContextProvider(sql, { ownerId: owner, label: "dropped" });
  await dropped.set("CANARY-DROPPED");
  await blocks.delete(gone);
  await store.sessions.fork("tea", "q3", "Tea, forked", { id: "fork" });
  await store.messages("fork").appendMessage(user("f1", "Only in the fork"));
  const memory = new PostgresContextProvider(sql, { ownerId: owner, label: "memory" });
  const provenance = { author: "model" as const, sessionId: "tea", messageId: "q2" };
  await memory.set("one", { provenance });
  await memory.set("two", { provenance: { author: "person" } });
  const knowledge = new PostgresSearchProvider(sql, { ownerId: owner, label: "knowledge" });
  await knowledge.write("k", { title: "Known", content: "Oolong", description: "of tea" });
  await knowledge.write("gone", { title: "Gone", content: "x" });
  await knowledge.remove("gone");
  const skills = new PostgresSkillProvider(sql, { ownerId: owner, label: "skills" });
  await skills.write("s", { title: "Brew", content: "Boil" });
  await new PostgresUsage(sql, asSpace(owner)).record({
    id: "u1",
    kind: "summary",
    sessionId: "tea",
    model: "m",
    inputTokens: 5,
    cachedTokens: 1,
    outputTokens: 2,
    cost: null,
    isReported: false,
  });
  const runs = new PostgresRunStore({ sql, chunks: sql, ownerId: owner });
  const run = { id: "q2", sessionId: "tea", messageId: "q2", parentId: "q1", model: "m" };
  await runs.start(run, 1_000, { maxRunning: 100 });
  await runs.finish("q2", "complete", { receipt });
  const settings = new PostgresSettings(sql, owner);
  await settings.saveSecret({ name: "p", description: {}, sealed: "CANARY-SEALED" });
  return owner;
}

export const receipt = {
  model: "m",
  prompt: "You help.",
  messages: [{ id: "q1", role: "user", preview: "Text", tokens: 3 }],
  blocks: [{ label: "memory", version: 1 }],
  skills: [],
  tools: [],
  tokens: { prompt: 1, messages: 2, tools: 3 },
  usage: { inputTokens: 4, outputTokens: 5 },
  cost: null,
  startedAt: "2026-01-01T00:00:00.000Z",
  finishedAt: null,
};
