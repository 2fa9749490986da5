import type { ToolSet } from "ai";
import { type CompactionOptions, withCompaction } from "@/lib/chat/compaction/compaction-model";
import { blocksOf } from "@/lib/chat/memory/block-definitions";
import { type BlockDefinition, defaultInstructions } from "@/lib/chat/memory/default-blocks";
import { sourceBlockOf } from "@/lib/chat/memory/source-blocks";
import type { OwnerData } from "@/lib/chat/owner-data";
import {
  type AnyContextProvider,
  type AskingMessage,
  type SearchProvider,
  Session,
  SessionManager,
  type SkillProvider,
} from "@/lib/session";

/** Opens one conversation of an owner with its current blocks. With `compaction`, the session can be compacted. */
export async function openSession(
  owner: OwnerData,
  sessionId: string,
  compaction?: CompactionOptions,
): Promise<Session> {
  const session = openWith(owner, sessionId, await blocksOf(owner, sessionId));
  return compaction ? withCompaction(session, owner, compaction) : session;
}

/** A conversation with these blocks; `null` is none, for blocks that hold in every one. */
export function openWith(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  return openInPassing(owner, sessionId, blocks).withCachedPrompt();
}

/** The same, but the prompt that is frozen here is nobody else's. */
export function openInPassing(
  owner: OwnerData,
  sessionId: string | null,
  blocks: readonly BlockDefinition[],
): Session {
  const session = new Session(owner.store, { sessionId: sessionId ?? "", createsSession: false });
  for (const definition of blocks) {
    const { label, description, maxTokens, writers } = definition;
    session.withContext(label, {
      description,
      ...(writers !== "nobody" && { writers }),
      ...(label === "soul" && { initial: defaultInstructions }),
      provider: providerOf(owner, definition, sessionId),
      ...(maxTokens !== null && { maxTokens }),
    });
  }
  return session;
}

/** The tool that searches the past conversations of an owner, for the answer to a message. */
export function pastConversations(owner: OwnerData, asking?: AskingMessage): ToolSet {
  return SessionManager.create(owner.store).tools({ asking });
}

function providerOf(
  owner: OwnerData,
  { label, kind, scope, blockId }: BlockDefinition,
  sessionId: string | null,
): AnyContextProvider {
  if (label === "knowledge") return owner.knowledge as SearchProvider;
  if (label === "skills") return owner.skills as SkillProvider;
  const source = sourceBlockOf(owner, label)?.source;
  // Without `set`, whatever the source can do: what is kept elsewhere is written there.
  if (source) return { get: () => source.get(), load: (key: string) => source.load(key) };
  const ofSession = scope === "session" ? sessionId : null;
  if (kind === "searchable")
    return owner.searchable(label, ofSession, { blockId }) as SearchProvider;
  if (kind === "loadable") return owner.loadable(label, ofSession, { blockId }) as SkillProvider;
  return ofSession === null
    ? owner.block(label, { blockId })
    : owner.sessionBlock(label, ofSession, { blockId });
}
