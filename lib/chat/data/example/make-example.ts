import type { OwnerData } from "@/lib/chat/owner-data";
import {
  entryKeyFor,
  estimateMessageTokens,
  type SessionInfo,
  type SessionMessage,
} from "@/lib/session";
import { exampleConversation, exampleSummaries } from "./conversation";
import { keepReceipts } from "./keep-receipts";
import { exampleKnowledge, exampleMemory, exampleSkill, exampleTodos } from "./memory";

/** The first example of an owner; later ones, made after it was deleted, have ids of their own. */
export const exampleSessionId = "example-garden";

/**
 * Makes the example session: branches, two summaries, every kind of memory. What the person has written into memory stays
 * as it is. Made again while it is there, nothing changes.
 */
export async function makeExample(owner: OwnerData): Promise<SessionInfo> {
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
  await keepReceipts(owner, info);
  return info;
}

function between(from: string, to: string): readonly SessionMessage[] {
  const indexOf = (wanted: string) => exampleConversation.findIndex(({ id }) => id === wanted);
  return exampleConversation.slice(indexOf(from), indexOf(to) + 1);
}

async function restored(owner: OwnerData): Promise<SessionInfo | null> {
  try {
    return await owner.store.sessions.restore(exampleSessionId);
  } catch {
    // Never made, or gone for good: it is made anew.
    return null;
  }
}

async function fillMemory(owner: OwnerData): Promise<void> {
  const provenance = { author: "system" as const, sessionId: exampleSessionId };
  const memory = owner.block("memory");
  if ((await memory.read()).version === 0) await memory.set(exampleMemory, { provenance });
  await owner.sessionBlock("todos", exampleSessionId).set(exampleTodos, { provenance });
  for (const entry of exampleKnowledge) {
    const key = entryKeyFor(entry.title);
    if (!(await owner.knowledge.entry(key)))
      await owner.knowledge.write(key, entry, { provenance });
  }
  const key = entryKeyFor(exampleSkill.title);
  if (!(await owner.skills.entry(key))) await owner.skills.write(key, exampleSkill, { provenance });
}
