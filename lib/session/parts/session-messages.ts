import { assertCount } from "../checked-arguments";
import { fromClient } from "../client-messages";
import type { Compactor } from "../compaction/compactor";
import type { ContextBlocks } from "../context/context-blocks";
import type { FrozenPrompt } from "../context/prompt";
import { MessageConflictError } from "../errors";
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
} from "../message";
import { enforceRowSizeLimit } from "../micro-compaction/enforce-row-size-limit";
import { prepareForModel } from "../model-messages";
import { searchLimit } from "../search/query";
import type { SearchHit, SearchOptions } from "../search/search-hits";
import type { SessionSettings } from "../session-builder";
import {
  type DeleteMessagesOptions,
  type Deletion,
  isTreeProvider,
  type LoadedSkill,
  type MaybePromise,
  type RecentHistory,
} from "../session-provider";
import type { SessionStorage } from "../session-storage";
import { loadedAfter, skillEvents } from "../skill-events";
import { assertStorable, storable } from "../stored-body";
import { jsonBytes } from "../text";
import { historyBackwards } from "./history-batches";

/** Restored by `restoreMessages(deletionId)`, unless the id is empty. */
export interface PoppedMessage {
  readonly message: StoredMessage;
  readonly deletionId: string;
}

export interface LatestOptions {
  /** Default: the active leaf. */
  readonly leafId?: string | undefined;
  readonly role?: SessionMessageRole | undefined;
  readonly skip?: number | undefined;
}

export interface ModelHistoryOptions {
  /** Compacts first when the history exceeds its threshold. */
  readonly compactsIfNeeded?: boolean | undefined;
  /** Aborts that compaction; the history is then returned uncompacted. */
  readonly signal?: AbortSignal | undefined;
  readonly newMessages?: readonly SessionMessage[] | undefined;
  readonly loadedSkills?: MaybePromise<readonly LoadedSkill[]> | undefined;
}

export interface MeasuredHistory extends RecentHistory {
  readonly truncated: boolean;
  /** Size of all stored messages of the active path. */
  readonly totalContentBytes: number;
}

interface Parts {
  readonly storage: SessionStorage;
  readonly prompt: FrozenPrompt;
  readonly compactor: Compactor;
  readonly blocks: ContextBlocks;
  readonly settings: Pick<SessionSettings, "rowSize" | "reservedMetadata" | "modelInput">;
}

/** Works on the documented core where that suffices, else throws `NotSupportedError`. */
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

  async recent(maxBytes: number, minRecentMessages?: number): Promise<MeasuredHistory> {
    const { provider } = this.#parts.storage;
    if (!isTreeProvider(provider)) {
      const messages = (await provider.getHistory()).map(dated);
      const totalContentBytes = sumOf(messages.map(jsonBytes));
      return { messages, omittedMessages: 0, truncated: false, totalContentBytes };
    }
    const recent = await provider.getRecentHistory(maxBytes, minRecentMessages);
    const rows = await provider.getHistoryRowStats();
    return {
      ...recent,
      truncated: recent.omittedMessages > 0,
      totalContentBytes: sumOf(rows.map(({ bytes }) => bytes)),
    };
  }

  async fittingHistory(leafId?: string, signal?: AbortSignal): Promise<HistoryMessage[]> {
    return this.#loaded(await this.#parts.compactor.fittingHistory(leafId, signal));
  }

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
    assertCount(count, "getLatestMessages");
    assertCount(skip, "getLatestMessages");
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

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
