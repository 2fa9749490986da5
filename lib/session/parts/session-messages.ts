import { fromClient } from "@/lib/session/client-messages";
import type { Compactor } from "@/lib/session/compaction/compactor";
import type { ContextBlocks } from "@/lib/session/context/context-blocks";
import type { FrozenPrompt } from "@/lib/session/context/prompt";
import { MessageConflictError } from "@/lib/session/errors";
import {
  type AppendOptions,
  type AppendResult,
  asHistory,
  type ContinueOptions,
  dated,
  type FollowOptions,
  type FollowResult,
  type HistoryMessage,
  type ListedMessage,
  type NewMessage,
  type SessionMessage,
  type SessionMessageRole,
  type StoredMessage,
  type UpdateOptions,
} from "@/lib/session/message";
import { enforceRowSizeLimit } from "@/lib/session/micro-compaction/enforce-row-size-limit";
import { prepareForModel } from "@/lib/session/model-messages";
import { searchLimit } from "@/lib/session/search/query";
import type { SearchHit, SearchOptions } from "@/lib/session/search/search-hits";
import type { SessionSettings } from "@/lib/session/session-builder";
import {
  type DeleteMessagesOptions,
  type Deletion,
  isTreeProvider,
  type LoadedSkill,
  type MaybePromise,
} from "@/lib/session/session-provider";
import type { SessionStorage } from "@/lib/session/session-storage";
import { loadedAfter, skillEvents } from "@/lib/session/skill-events";
import { assertStorable, storable } from "@/lib/session/stored-body";
import { historyBackwards } from "./history-batches";

/** A removed message; `restoreMessages(deletionId)` restores it, unless the id is empty. */
export interface PoppedMessage {
  readonly message: StoredMessage;
  readonly deletionId: string;
}

export interface LatestOptions {
  /** Default: the active leaf. */
  readonly leafId?: string | undefined;
  readonly role?: SessionMessageRole | undefined;
  /** Newest messages to skip. */
  readonly skip?: number | undefined;
}

export interface ModelHistoryOptions {
  /** Compacts first when the history exceeds its threshold. */
  readonly compactsIfNeeded?: boolean | undefined;
  /** Aborts that compaction; the history is then returned as it is. */
  readonly signal?: AbortSignal | undefined;
  /** Messages after the history, not necessarily stored. */
  readonly newMessages?: readonly SessionMessage[] | undefined;
  /** Of the path, when they were read already. */
  readonly loadedSkills?: MaybePromise<readonly LoadedSkill[]> | undefined;
}

interface Parts {
  readonly storage: SessionStorage;
  readonly prompt: FrozenPrompt;
  readonly compactor: Compactor;
  readonly blocks: ContextBlocks;
  readonly settings: Pick<SessionSettings, "rowSize" | "reservedMetadata" | "modelInput">;
}

/**
 * The messages of a session. Uses the documented core of the storage where that suffices, and throws
 * `NotSupportedError` where it does not.
 */
export class SessionMessages {
  readonly #parts: Parts;
  #isLoaded = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async append(
    message: NewMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult> {
    assertStorable(message);
    const { storage, compactor } = this.#parts;
    const { provider } = storage;
    return storage.save(async () => {
      await storage.prepare();
      const parent = isTreeProvider(provider) ? parentId : await this.#parentOnCore(parentId);
      const stored = await this.#given(message, options);
      const result = (await provider.appendMessage(stored, parent, options)) ?? {
        inserted: true,
        message: dated(stored),
        parentId: parent ?? null,
      };
      if (result.inserted) await compactor.afterAppend([result]);
      return result;
    });
  }

  async appendAll(
    given: readonly NewMessage[],
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<AppendResult[]> {
    const messages = given.map(storable);
    const { storage, compactor } = this.#parts;
    const { provider } = storage;
    return storage.save(async () => {
      if (!isTreeProvider(provider)) return this.#appendOneByOne(messages, parentId, options);
      if (messages.length > 0) await storage.prepare();
      const fitted = await Promise.all(messages.map((message) => this.#given(message, options)));
      const results = await provider.appendMessages(fitted, parentId, options);
      await compactor.afterAppend(results.filter(({ inserted }) => inserted));
      return results;
    });
  }

  async continueAfter(
    messageId: string | null,
    given: readonly NewMessage[],
    options: ContinueOptions,
  ): Promise<AppendResult[] | null> {
    const messages = given.map(storable);
    const { storage, compactor } = this.#parts;
    return storage.save(async () => {
      const fitted = messages.map((message) => this.#fitted(message));
      const tree = storage.tree("continuing after a message");
      const appended = await storage.change(() => tree.continueAfter(messageId, fitted, options));
      await compactor.afterAppend(appended ?? []);
      return appended;
    });
  }

  async follow(messages: readonly ListedMessage[], options: FollowOptions): Promise<FollowResult> {
    const { storage, compactor } = this.#parts;
    return storage.save(async () => {
      const fitted = messages.map((message) => this.#fitted(message));
      const tree = storage.tree("following a list");
      const result = await storage.change(() => tree.follow(fitted, options));
      await compactor.afterAppend(result.appended);
      return result;
    });
  }

  async #appendOneByOne(
    messages: readonly SessionMessage[],
    parentId: string | null | undefined,
    options: AppendOptions | undefined,
  ): Promise<AppendResult[]> {
    const results: AppendResult[] = [];
    let parent = parentId;
    for (const message of messages) {
      results.push(await this.append(message, parent, options));
      parent = message.id;
    }
    return results;
  }

  async update(message: NewMessage, options?: UpdateOptions): Promise<void> {
    assertStorable(message);
    const { storage } = this.#parts;
    await storage.change(async () => {
      await storage.provider.updateMessage(await this.#given(message, options));
    });
  }

  async upsert(
    message: NewMessage,
    parentId?: string | null,
    options?: AppendOptions,
  ): Promise<boolean> {
    try {
      const isKnown = (await this.get(message.id)) !== null;
      if (!isKnown) return (await this.append(message, parentId, options)).inserted;
    } catch (error) {
      // Another writer has appended it meanwhile.
      if (!(error instanceof MessageConflictError)) throw error;
    }
    await this.update(message, options);
    return false;
  }

  async delete(messageIds: readonly string[], options?: DeleteMessagesOptions): Promise<Deletion> {
    const { storage } = this.#parts;
    return storage.change(
      async () =>
        (await storage.provider.deleteMessages(messageIds, options)) ?? {
          deletionId: "",
          messageIds,
        },
    );
  }

  async pop(): Promise<PoppedMessage | null> {
    const message = await this.latestLeaf();
    if (!message) return null;
    const { deletionId } = await this.delete([message.id], { continueAt: "parent" });
    return { message, deletionId };
  }

  async keepLatest(count: number, leafId?: string): Promise<Deletion> {
    const older = await this.latest(Number.POSITIVE_INFINITY, { leafId, skip: count });
    return this.delete(older.map(({ id }) => id));
  }

  async restore(deletionId: string): Promise<void> {
    const { storage } = this.#parts;
    await storage.change(() => storage.tree("undoing a deletion").restoreMessages(deletionId));
  }

  async clear(): Promise<void> {
    const { storage, prompt } = this.#parts;
    await storage.save(async () => {
      await storage.change(() => storage.provider.clearMessages());
      await prompt.refresh();
    });
  }

  async get(id: string): Promise<StoredMessage | null> {
    const message = await this.#parts.storage.provider.getMessage(id);
    return message && dated(message);
  }

  async history(leafId?: string): Promise<HistoryMessage[]> {
    return this.#loaded(await this.#parts.storage.provider.getHistory(leafId));
  }

  /** The history, compacted first when over its threshold. */
  async fittingHistory(leafId?: string, signal?: AbortSignal): Promise<HistoryMessage[]> {
    return this.#loaded(await this.#parts.compactor.fittingHistory(leafId, signal));
  }

  /** The history of a path in a form a model accepts, with loaded documents. */
  async modelHistory(
    leafId?: string,
    { compactsIfNeeded = false, signal, newMessages = [], ...read }: ModelHistoryOptions = {},
  ): Promise<HistoryMessage[]> {
    const { blocks, settings } = this.#parts;
    const [history, loadedSkills] = await Promise.all([
      compactsIfNeeded ? this.fittingHistory(leafId, signal) : this.history(leafId),
      read.loadedSkills ?? this.loadedSkills(leafId),
    ]);
    const chosen = await settings.modelInput?.(history, newMessages);
    const input = (chosen ?? [...history, ...newMessages]).map(dated);
    // An unreadable document must not keep the model from answering.
    const loadSkill = ({ label, key }: LoadedSkill) => blocks.load(label, key).catch(() => null);
    return prepareForModel(input as HistoryMessage[], { loadedSkills, loadSkill });
  }

  async latest(
    count: number,
    { leafId, role, skip = 0 }: LatestOptions = {},
  ): Promise<StoredMessage[]> {
    const wanted: StoredMessage[] = [];
    let toSkip = Math.max(0, skip);
    for await (const message of this.#backwards(leafId)) {
      if (wanted.length >= count) break;
      if (role !== undefined && message.role !== role) continue;
      if (toSkip > 0) toSkip--;
      else wanted.push(message);
    }
    return wanted.reverse();
  }

  async latestLeaf(): Promise<StoredMessage | null> {
    const message = await this.#parts.storage.provider.getLatestLeaf();
    return message && dated(message);
  }

  async children(messageId: string): Promise<StoredMessage[]> {
    return (await this.#parts.storage.provider.getBranches(messageId)).map(dated);
  }

  async search(query: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    const { provider } = this.#parts.storage;
    return provider.searchMessages(
      query,
      isTreeProvider(provider) ? options : searchLimit(options),
    );
  }

  async loadedSkills(leafId?: string): Promise<LoadedSkill[]> {
    const { provider } = this.#parts.storage;
    if (isTreeProvider(provider)) return provider.getLoadedSkills(leafId);
    return loadedAfter((await provider.getHistory(leafId)).flatMap(skillEvents));
  }

  /** Emits `load` the first time a history is read. */
  #loaded(history: readonly SessionMessage[]): HistoryMessage[] {
    if (!this.#isLoaded && history.length > 0) {
      this.#isLoaded = true;
      const { events, id } = this.#parts.storage;
      events.emit({ type: "load", sessionId: id, messageCount: history.length });
    }
    return asHistory(history);
  }

  /** Retries of a client find what the server has added since. */
  async #given(message: SessionMessage, options: UpdateOptions = {}): Promise<SessionMessage> {
    if (options.source !== "client") return this.#fitted(message);
    const stored = await this.get(message.id);
    const { reservedMetadata: reserved } = this.#parts.settings;
    return this.#fitted(fromClient(message, { reserved, stored }));
  }

  #fitted<Message extends ListedMessage>(message: Message): Message {
    const { rowSize } = this.#parts.settings;
    return rowSize ? enforceRowSizeLimit(message, rowSize) : message;
  }

  async *#backwards(leafId: string | undefined): AsyncIterable<StoredMessage> {
    const { provider } = this.#parts.storage;
    if (!isTreeProvider(provider)) {
      yield* (await provider.getHistory(leafId)).map(dated).reverse();
      return;
    }
    for await (const batch of historyBackwards(provider, { leafId, overlays: false })) yield* batch;
  }

  async #parentOnCore(parentId: string | null | undefined): Promise<string | null> {
    if (parentId !== undefined) return parentId;
    return (await this.#parts.storage.provider.getLatestLeaf())?.id ?? null;
  }
}
