import {
  entryKeyFor,
  estimateMessageTokens,
  type SessionInfo,
  type SessionMessage,
  SessionNotFoundError,
} from "grove-session";
import { exampleSessionId } from "@/lib/chat/core/example-session";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { ModelInfo } from "@/lib/llm";
import { exampleConversation, exampleSummaries } from "./conversation";
import { keepReceipts } from "./keep-receipts";
import {
  exampleBlocks,
  exampleFacts,
  exampleKnowledge,
  exampleSkill,
  exampleTodos,
} from "./memory";

export const untouchedExample = {
  sessionId: exampleSessionId,
  messageIds: exampleConversation.map(({ id }) => id),
};

/** Restores a deleted example, and leaves an existing one. */
export async function makeExample(owner: OwnerData, model: ModelInfo): Promise<SessionInfo> {
  const { sessions } = owner.store;
  const present = await sessions.get(exampleSessionId);
  if (present) return present;
  const deleted = await restored(owner);
  if (deleted) return deleted;
  const info = await sessions.create("Example: a balcony garden", {
    id: exampleSessionId,
    source: "example",
    tags: ["example"],
  });
  await fillMemory(owner);
  const messages = owner.store.messages(exampleSessionId);
  for (const { under, ...message } of exampleConversation)
    await messages.appendMessage(message, under);
  for (const { summary, from, to, metadata } of exampleSummaries) {
    const rangeTokens = estimateMessageTokens(between(from, to));
    await messages.addCompaction(summary, from, to, { ...metadata, rangeTokens });
  }
  await messages.setActiveLeaf("example-a7");
  await keepReceipts(owner, info, model);
  return info;
}

function between(from: string, to: string): readonly SessionMessage[] {
  const indexOf = (wanted: string) => exampleConversation.findIndex(({ id }) => id === wanted);
  return exampleConversation.slice(indexOf(from), indexOf(to) + 1);
}

async function restored(owner: OwnerData): Promise<SessionInfo | null> {
  try {
    return await owner.store.sessions.restore(exampleSessionId);
  } catch (error) {
    if (error instanceof SessionNotFoundError) return null;
    throw error;
  }
}

async function fillMemory(owner: OwnerData): Promise<void> {
  const sessionId = exampleSessionId;
  const provenance = { author: "system", sessionId } as const;
  for (const block of Object.values(exampleBlocks))
    await owner.blocks.create({ ...block, sessionId, scope: "session", writers: "both" });
  const facts = owner.blocks.text({ label: exampleBlocks.facts.label, sessionId });
  for (const { content, by } of exampleFacts)
    await facts.set(content, { provenance: { ...by, sessionId } });
  await owner.blocks.text({ label: "todos", sessionId }).set(exampleTodos, { provenance });
  const notes = owner.blocks.searchable({ label: exampleBlocks.notes.label, sessionId });
  for (const entry of exampleKnowledge)
    await notes.write(entryKeyFor(entry.title), entry, { provenance });
  const skills = owner.blocks.loadable({ label: exampleBlocks.skills.label, sessionId });
  await skills.write(entryKeyFor(exampleSkill.title), exampleSkill, { provenance });
}
