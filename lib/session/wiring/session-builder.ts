import type { CompactionThreshold } from "@/lib/session/compaction/auto-compaction-policy";
import type { AutoCompactionOptions } from "@/lib/session/compaction/compactor";
import type { CompactFunction } from "@/lib/session/compaction/create-compact-function";
import type { ContextDefinition, ContextOptions } from "@/lib/session/context/context-block";
import type { WritableContextProvider } from "@/lib/session/context-provider";
import type { SessionMessage, StoredMessage } from "@/lib/session/message";
import type { RowSizeOptions } from "@/lib/session/micro-compaction/enforce-row-size-limit";
import type { MaybePromise } from "@/lib/session/session-provider";

/** Where a frozen prompt is kept; a manager needs a function, so that each session has its own. */
export type PromptCache =
  | WritableContextProvider
  | ((sessionId: string) => WritableContextProvider);

/** Makes a model's messages of the history and of what is new; pure trimming, sorting and marking belong here. */
export type ModelInput = (
  history: readonly StoredMessage[],
  newMessages: readonly SessionMessage[],
) => MaybePromise<readonly SessionMessage[]>;

/** Everything a builder was told. */
export interface SessionSettings {
  readonly context: ContextDefinition[];
  cachesPrompt: boolean;
  promptCache?: PromptCache | undefined;
  compactFunction?: CompactFunction | undefined;
  threshold?: CompactionThreshold | undefined;
  autoCompaction: AutoCompactionOptions;
  onCompactionError?: ((error: unknown) => void) | undefined;
  onListenerError?: ((error: unknown) => void) | undefined;
  providerDeadlineMs?: number | undefined;
  rowSize?: RowSizeOptions | undefined;
  modelInput?: ModelInput | undefined;
}

/** The steps that `Session` and `SessionManager` share. They may come in any order, before the first use. */
export abstract class SessionBuilder {
  protected readonly settings: SessionSettings = {
    context: [],
    cachesPrompt: false,
    autoCompaction: {},
  };

  /** @throws when it is too late to change what was set up. */
  protected abstract assertConfigurable(): void;

  /** Adds a block to the system prompt; without a provider it is a writable document of the storage. */
  withContext(label: string, options: ContextOptions = {}): this {
    this.settings.context.push({ label, ...options });
    return this.#change({});
  }

  /** Keeps the frozen prompt in the storage, or where `provider` says, so that it survives the process. */
  withCachedPrompt(provider?: PromptCache): this {
    return this.#change({ cachesPrompt: true, promptCache: provider });
  }

  /** Registers what summarizes, see `createCompactFunction`. */
  onCompaction(compactFunction: CompactFunction): this {
    return this.#change({ compactFunction });
  }

  /** Compacts after an append when the history has more tokens than this. Requires `onCompaction`. */
  compactAfter(threshold: CompactionThreshold, options: AutoCompactionOptions = {}): this {
    return this.#change({ threshold, autoCompaction: options });
  }

  /** Hears of every failed automatic compaction. */
  onCompactionError(handler: (error: unknown) => void): this {
    return this.#change({ onCompactionError: handler });
  }

  /** Hears of listeners that failed. */
  onListenerError(handler: (error: unknown) => void): this {
    return this.#change({ onListenerError: handler });
  }

  /**
   * Decides what of the history a model is sent, together with the messages that are not stored yet. What it returns is
   * then repaired as every history is. Stored messages stay as they are.
   */
  withModelInput(modelInput: ModelInput): this {
    return this.#change({ modelInput });
  }

  /** How long a context provider may take to answer. Default 5 s. */
  withProviderDeadline(deadlineMs: number): this {
    return this.#change({ providerDeadlineMs: deadlineMs });
  }

  /**
   * Makes messages fit before they are stored, see `enforceRowSizeLimit`. For storage with a limit of its own; without
   * this step messages are stored whole, however large.
   */
  withRowSizeLimit(maxBytes?: number): this {
    return this.#change({ rowSize: { maxBytes } });
  }

  /** Takes over everything another builder was told. */
  configure({ context, ...settings }: SessionSettings): this {
    this.settings.context.push(...context);
    return this.#change(settings);
  }

  #change(changes: Partial<SessionSettings>): this {
    this.assertConfigurable();
    Object.assign(this.settings, changes);
    return this;
  }
}
