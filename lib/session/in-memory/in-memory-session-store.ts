import type { BlockRef } from "@/lib/session/block-store";
import type { SessionStore } from "@/lib/session/session-store";
import { emptyTree } from "@/lib/session/tree/session-tree";
import { InMemoryDocument } from "./in-memory-document";
import { InMemoryPrompt } from "./in-memory-prompt";
import { InMemoryProposals } from "./in-memory-proposals";
import { InMemorySessionProvider } from "./in-memory-session-provider";
import { InMemorySessionRegistry } from "./in-memory-session-registry";

export class InMemorySessionStore implements SessionStore {
  readonly sessions = new InMemorySessionRegistry({
    onFork: (source, fork) => this.#copyBlocks(source, fork),
  });
  readonly proposals = new InMemoryProposals((id) => this.sessions.row(id) !== null);
  /** `null`: the owner's; then by id, which is the label. */
  readonly #blocks = new Map<string | null, Map<string, InMemoryDocument>>();
  readonly #prompts = new Map<string, InMemoryPrompt>();

  messages(sessionId: string): InMemorySessionProvider {
    return new InMemorySessionProvider({
      sessionId,
      read: () => this.sessions.row(sessionId)?.tree ?? emptyTree(),
      write: () => this.sessions.writableTree(sessionId),
      touch: () => this.sessions.touch(sessionId),
    });
  }

  block({ sessionId, ...ref }: BlockRef): InMemoryDocument {
    const blocks = entryOf(this.#blocks, sessionId, () => new Map());
    const id = "blockId" in ref ? ref.blockId : ref.label;
    return entryOf(blocks, id, () => new InMemoryDocument(id));
  }

  promptCache(sessionId: string): InMemoryPrompt {
    return entryOf(this.#prompts, sessionId, () => new InMemoryPrompt());
  }

  /** A fork starts with its source's current blocks. */
  #copyBlocks(sourceId: string, forkId: string): void {
    const copies = [...(this.#blocks.get(sourceId) ?? [])].map(
      ([label, document]) => [label, document.copy()] as const,
    );
    this.#blocks.set(forkId, new Map(copies));
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
