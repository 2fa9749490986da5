import fc from "fast-check";
import { user } from "grove-session/testing";
import { modelMarkChanges } from "@/lib/chat/core/settings-store";
import { blocksOf } from "@/lib/chat/sessions/blocks";
import { overrides } from "@/lib/chat/settings/model-overrides";
import { writePrompt } from "@/lib/chat/settings/prompts";
import { receipt } from "@/lib/postgres/portable/testing/full-owner";
import type { OwnerServices } from "@/lib/server/owner-services";
import { growTrees } from "@/lib/session/testing/programs/run-tree-program";
import { treePrograms } from "@/lib/session/testing/programs/tree-program";
import type { Random } from "@/lib/text/testing/random";
import { unicodeText } from "@/lib/text/testing/unicode-text";

const ofSmallChat = treePrograms(8);
const ofLargeChat = treePrograms(80);
const largeShare = 0.03;

/** Chats of any shape, memory with its history, settings and files, or parts of them. */
export async function makeRandomAccount(owner: OwnerServices, random: Random): Promise<void> {
  // An import does this first.
  await blocksOf(owner, null);
  const isLarge = random.next() < largeShare;
  const chats = isLarge ? 3 + random.below(4) : random.of([0, 1, 1, 1, 2]);
  for (let left = chats; left > 0; left--) {
    const seed = random.below(2 ** 31);
    const [program = []] = fc.sample(isLarge ? ofLargeChat : ofSmallChat, { seed, numRuns: 1 });
    await growTrees(owner.store, program);
  }
  for (const { id } of (await owner.store.sessions.list({ limit: 100 })).sessions)
    await dressChat(owner, random, id);
  if (random.next() < 0.5) await fillMemory(owner, random);
  if (random.next() < 0.3) await changeSettings(owner, random);
}

type Act = (owner: OwnerServices, random: Random, sessionId: string) => Promise<unknown>;

const answerIn: Act = async (owner, random, sessionId) => {
  const messages = owner.store.messages(sessionId);
  const [questionId, id] = [crypto.randomUUID(), crypto.randomUUID()];
  await messages.appendMessage(user(questionId, unicodeText(random)));
  const run = { id, sessionId, messageId: id, parentId: questionId, model: "test/model" };
  await owner.runs.start(run, 1_000, { maxRunning: 100 });
  const call = { type: "tool-search_context", toolCallId: id, state: "output-available" };
  const parts = [
    { type: "step-start" },
    { type: "reasoning", text: unicodeText(random) },
    { ...call, input: { query: unicodeText(random) }, output: [unicodeText(random), null, 1e21] },
    { type: "text", text: unicodeText(random) },
  ];
  const status = random.of(["complete", "stopped", "interrupted", "failed"] as const);
  const metadata = { status, runId: id, model: "test/model", inputTokens: 3, cost: random.next() };
  await messages.appendMessage({ id, role: "assistant", parts, metadata });
  await owner.runs.finish(id, status, { receipt });
  const tokens = { inputTokens: 5, cachedTokens: 1, outputTokens: 2 };
  const cost = random.next() < 0.5 ? null : random.next();
  const about = { id, kind: "answer", sessionId, model: "test/model" } as const;
  await owner.usage.record({ ...about, ...tokens, cost, isReported: true });
};

const fileIn: Act = async (owner, random, sessionId) => {
  const bytes = new TextEncoder().encode(`Notes: ${unicodeText(random)}`);
  const { sha256, mediaType } = await owner.files.put(new Blob([bytes]).stream(), {
    name: "notes.txt",
  });
  const file = { type: "file", mediaType, filename: "notes.txt", url: `grove-file:${sha256}` };
  const message = { id: crypto.randomUUID(), role: "user", parts: [file] } as const;
  await owner.store.messages(sessionId).appendMessage(message);
};

const ownBlocksOf: Act = async ({ blocks }, random, sessionId) => {
  const label = `plan-${random.below(100)}`;
  const size = { description: unicodeText(random), maxTokens: 1 + random.below(500) };
  const use = { kind: "writable", writers: random.of(["person", "both"] as const) } as const;
  await blocks.create({ label, sessionId, scope: "session", ...size, ...use });
  await blocks
    .text({ label, sessionId })
    .set(unicodeText(random), { provenance: { author: "model" } });
  await blocks.text({ label: "todos", sessionId }).set(`- [ ] ${unicodeText(random)}`);
};

const chatActs: readonly Act[] = [
  ({ store }, random, id) =>
    store.sessions.update(id, {
      name: unicodeText(random),
      tags: Array.from({ length: random.below(4) }, (_, n) =>
        `${n}${unicodeText(random)}`.slice(0, 20),
      ),
      pinned: random.next() < 0.5,
      archived: random.next() < 0.3,
      model: "test/model",
      metadata: { memoryMode: "ask", note: unicodeText(random) },
    }),
  ({ store }, random, id) =>
    store.sessions.addUsage(id, {
      inputTokens: random.below(1_000),
      outputTokens: random.below(1_000),
      cost: random.next(),
    }),
  ({ store }, random, id) =>
    store.promptCache(id).setFrozen({
      prompt: unicodeText(random),
      versions: { skills: 0, memory: random.below(9) },
    }),
  ({ store }, random, id) =>
    store
      .messages(id)
      .recordSkillEvent(
        { label: "skills", key: `skill-${random.below(3)}` },
        random.next() < 0.7 ? "load" : "unload",
      ),
  answerIn,
  fileIn,
  ownBlocksOf,
];

async function dressChat(owner: OwnerServices, random: Random, sessionId: string): Promise<void> {
  for (const act of chatActs) if (random.next() < 0.3) await act(owner, random, sessionId);
  if (random.next() < 0.05) await owner.store.sessions.delete(sessionId);
}

async function fillMemory(owner: OwnerServices, random: Random): Promise<void> {
  const { blocks } = owner;
  const memory = blocks.text({ label: "memory", sessionId: null });
  for (let left = random.below(4); left > 0; left--) {
    const author = random.of(["person", "model", "system"] as const);
    await memory.set(unicodeText(random), { provenance: { author } });
  }
  const about = { description: unicodeText(random), sessionId: null, scope: "owner" } as const;
  for (const label of ["recipes", "dropped"]) {
    if (random.next() < 0.5) continue;
    const kind = random.of(["writable", "searchable", "loadable"] as const);
    const maxTokens = kind === "writable" ? 300 : null;
    const made = await blocks.create({ ...about, label, kind, writers: "both", maxTokens });
    if (label === "dropped") await blocks.delete(made);
  }
  for (const entries of [
    blocks.searchable({ label: "knowledge", sessionId: null }),
    blocks.loadable({ label: "skills", sessionId: null }),
  ]) {
    for (let left = random.below(4); left > 0; left--) {
      const key = random.of(["first", "second", "first/file.md"] as const);
      const [title, content] = [unicodeText(random), unicodeText(random)];
      const description = random.next() < 0.5 ? unicodeText(random) : undefined;
      await entries.write(key, { title, content, description });
    }
    if (random.next() < 0.3) await entries.delete("first");
  }
}

async function changeSettings(owner: OwnerServices, random: Random): Promise<void> {
  const prices = { inputPerMillion: random.next(), outputPerMillion: null };
  await owner.settings.change({
    defaultModel: "test/model",
    ...modelMarkChanges({ ref: `test/${random.below(9)}`, isFavorite: true }),
    ...modelMarkChanges({ ref: `test/${random.below(9)}`, isHidden: true }),
    ...overrides.changes({ "test/model": { contextWindow: 8_000, ...prices } }),
  });
  await writePrompt(owner, "prompt", { name: "draft", text: `Write ${random.below(99)}` });
}
