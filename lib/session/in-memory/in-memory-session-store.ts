import { assertDistinctBlocks, type BlockRef, blockName, type TextWrite } from "../block-store";
import { conflictOf } from "../errors";
import type { ExportedDocument, SessionRecordOf } from "../portable/session-records";
import { type MessagesOptions, namespaceKey, type SessionStore } from "../session-store";
import { emptyTree } from "../tree/session-tree";
import { type DocumentAccess, InMemoryDocument } from "./in-memory-document";
import { InMemoryPrompt } from "./in-memory-prompt";
import { InMemoryProposals } from "./in-memory-proposals";
import { InMemorySessionProvider } from "./in-memory-session-provider";
import { InMemorySessionRegistry, type PortableMemory } from "./in-memory-session-registry";

/** Sessions, messages and memory of one owner, kept until the process ends. */
export class InMemorySessionStore implements SessionStore {
  readonly sessions = new InMemorySessionRegistry({
    onFork: (source, fork) => this.#copyBlocks(source, fork),
    exportMemory: (id) => this.#exportMemory(id),
    importMemory: (id, memory) => this.#importMemory(id, memory),
    onPurge: (id) => this.#forget(id),
  });
  readonly proposals = new InMemoryProposals((id) => this.sessions.row(id) !== null);
  /** By session (`null`: the owner's), then by id, which is the label. */
  readonly #blocks = new Map<string | null, Map<string, InMemoryDocument>>();
  readonly #prompts = new Map<string, InMemoryPrompt>();
  readonly #namespaces = new Map<string, InMemorySessionStore>();
  readonly #imported = new Map<string, Pick<PortableMemory, "blocks" | "documents" | "answers">>();

  messages(sessionId: string, options?: MessagesOptions): InMemorySessionProvider {
    return new InMemorySessionProvider({
      sessionId,
      read: () => {
        this.sessions.assertOpen(sessionId);
        return this.sessions.row(sessionId)?.tree ?? emptyTree();
      },
      write: () => this.sessions.writableTree(sessionId),
      append: () => this.sessions.writableTree(sessionId, options),
      touch: () => this.sessions.touch(sessionId),
    });
  }

  block(ref: BlockRef): InMemoryDocument {
    const blocks = entryOf(this.#blocks, ref.sessionId, () => new Map());
    const id = blockName(ref);
    return entryOf(blocks, id, () => new InMemoryDocument(id, [], this.#access(ref.sessionId)));
  }

  #access(sessionId: string | null): DocumentAccess {
    if (sessionId === null) return {};
    return {
      beforeRead: () => this.sessions.assertOpen(sessionId),
      beforeWrite: () => this.sessions.renew(sessionId),
    };
  }

  async writeBlocks(writes: readonly TextWrite[]): Promise<void> {
    assertDistinctBlocks(writes);
    for (const { block } of writes) this.block(block).access.beforeRead?.();
    const [conflict, ...others] = writes.flatMap(({ block, expectedVersion }) => {
      const currentVersion = this.block(block).version;
      if (expectedVersion === undefined || expectedVersion === currentVersion) return [];
      const label = block.label ?? blockName(block);
      return [{ label, sessionId: block.sessionId, expectedVersion, currentVersion }];
    });
    if (conflict) throw conflictOf([conflict, ...others]);
    for (const { block, content, provenance } of writes)
      this.block(block).write(content, { provenance });
  }

  namespace(name: string): InMemorySessionStore {
    const key = namespaceKey("", name);
    return entryOf(this.#namespaces, key, () => new InMemorySessionStore());
  }

  promptCache(sessionId: string): InMemoryPrompt {
    const access = this.#access(sessionId);
    return entryOf(this.#prompts, sessionId, () => new InMemoryPrompt(null, access));
  }

  #forget(sessionId: string): void {
    this.#blocks.delete(sessionId);
    this.#prompts.delete(sessionId);
    this.#imported.delete(sessionId);
    this.proposals.forget(sessionId);
  }

  async #exportMemory(sessionId: string): Promise<PortableMemory> {
    const { blocks = [], documents = [], answers = [] } = this.#imported.get(sessionId) ?? {};
    const texts = [...(this.#blocks.get(sessionId) ?? [])].map(([id, document]) =>
      textRecord(document, { sessionId, blockId: id }),
    );
    const frozen = await this.promptCache(sessionId).readFrozen();
    return {
      blocks,
      documents: [...texts.filter(({ versions }) => versions > 0), ...documents],
      answers,
      frozenPrompt: frozen?.prompt ?? null,
      frozenVersions: frozen?.versions ? Object.entries(frozen.versions) : null,
    };
  }

  #importMemory(
    sessionId: string,
    { blocks, documents, answers, frozenPrompt, frozenVersions }: PortableMemory,
  ): void {
    const texts = documents.filter(({ key }) => key === "");
    const entries = documents.filter(({ key }) => key !== "");
    this.#blocks.set(
      sessionId,
      new Map(
        texts.map((record) => [
          record.blockId ?? record.label,
          textOf(record, this.#access(sessionId)),
        ]),
      ),
    );
    this.#imported.set(sessionId, { blocks, documents: entries, answers });
    const versions = frozenVersions && Object.fromEntries(frozenVersions);
    const frozen = frozenPrompt === null ? null : { prompt: frozenPrompt, versions };
    this.#prompts.set(sessionId, new InMemoryPrompt(frozen, this.#access(sessionId)));
  }

  #copyBlocks(sourceId: string, forkId: string): void {
    const copies = [...(this.#blocks.get(sourceId) ?? [])].map(
      ([label, document]) => [label, document.copy(this.#access(forkId))] as const,
    );
    this.#blocks.set(forkId, new Map(copies));
  }
}

function textRecord(
  document: InMemoryDocument,
  { sessionId, blockId }: { sessionId: string; blockId: string },
): ExportedDocument {
  const history = document.allVersions().map(
    ({ version, content, provenance, createdAt }): SessionRecordOf<"version"> => ({
      type: "version",
      version,
      content,
      author: provenance.author,
      ...(provenance.program !== undefined && { program: provenance.program }),
      sessionId: provenance.sessionId ?? null,
      messageId: provenance.messageId ?? null,
      createdAt: createdAt.toISOString(),
    }),
  );
  return {
    type: "document",
    scope: sessionId,
    blockId,
    label: document.label,
    key: "",
    title: "",
    description: null,
    versions: history.length,
    history,
  };
}

function textOf({ label, history }: ExportedDocument, access: DocumentAccess): InMemoryDocument {
  const versions = history.map(({ version, content, author, program, createdAt, ...written }) => ({
    version,
    content,
    provenance: {
      author,
      ...(program !== undefined && { program }),
      ...(written.sessionId !== null && { sessionId: written.sessionId }),
      ...(written.messageId !== null && { messageId: written.messageId }),
    },
    createdAt: new Date(createdAt),
  }));
  return new InMemoryDocument(label, versions, access);
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
