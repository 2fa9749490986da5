import type { BlockWriters } from "./block-store";
import type {
  AutoCompactionOptions,
  CompactionSettings,
  CompactionThreshold,
} from "./compaction/compaction-settings";
import type { CompactFunction } from "./compaction/create-compact-function";
import type { ContextDefinition, ContextOptions } from "./context/context-block";
import type { WritableContextProvider } from "./context-provider";
import type { SessionMessage, StoredMessage } from "./message";
import type { RowSizeOptions } from "./micro-compaction/enforce-row-size-limit";
import type { MaybePromise } from "./session-provider";
import type { GivenProvider, Makes, ToolsOfBlock } from "./tools/made-tools";

/** A manager needs a function, so that each session has its own. */
export type PromptCache =
  | WritableContextProvider
  | ((sessionId: string) => WritableContextProvider);

/** Trims, sorts and marks the history and new messages. */
export type ModelInput = (
  history: readonly StoredMessage[],
  newMessages: readonly SessionMessage[],
) => MaybePromise<readonly SessionMessage[]>;

export interface SessionSettings extends CompactionSettings {
  readonly context: ContextDefinition[];
  cachesPrompt: boolean;
  promptCache?: PromptCache | undefined;
  onListenerError?: ((error: unknown) => void) | undefined;
  providerDeadlineMs?: number | undefined;
  rowSize?: RowSizeOptions | undefined;
  reservedMetadata?: readonly string[] | undefined;
  modelInput?: ModelInput | undefined;
  refusesArchived?: boolean | undefined;
}

/** Its types tell which tools the block makes. */
export type BlockOptions<Provider, Writers extends BlockWriters> = Omit<
  ContextOptions,
  "provider" | "writers"
> & { readonly writers?: Writers | undefined } & Provider;

/** Configuration shared by `Session` and `SessionManager`, in any order, before the first use. */
export abstract class SessionBuilder {
  protected readonly settings: SessionSettings = {
    context: [],
    cachesPrompt: false,
    autoCompaction: {},
  };

  protected abstract assertConfigurable(): void;

  /** Adds a block to the system prompt. Default provider: a writable document of the storage. */
  withContext<Writers extends BlockWriters = "both">(
    label: string,
    options?: BlockOptions<{ readonly provider?: undefined }, Writers>,
  ): this & Makes<ToolsOfBlock<WritableContextProvider, Writers>>;
  withContext<Provider extends GivenProvider, Writers extends BlockWriters = "both">(
    label: string,
    options: BlockOptions<{ readonly provider: Provider }, Writers>,
  ): this & Makes<ToolsOfBlock<Provider, Writers>>;
  withContext(label: string, options?: ContextOptions): this;
  withContext(label: string, options: ContextOptions = {}): this {
    this.settings.context.push({ label, ...options });
    return this.#change({});
  }

  /** Keeps the frozen prompt in the storage, or in `provider`, beyond the process. */
  withCachedPrompt(provider?: PromptCache): this {
    return this.#change({ cachesPrompt: true, promptCache: provider });
  }

  onCompaction(compactFunction: CompactFunction): this {
    return this.#change({ compactFunction });
  }

  /** Compacts after an append when the history has more tokens than this. Requires `onCompaction`. */
  compactAfter(threshold: CompactionThreshold, options: AutoCompactionOptions = {}): this {
    return this.#change({ threshold, autoCompaction: options });
  }

  /** Called for every failed automatic compaction. Default: a warning on the console, once per message. */
  onCompactionError(handler: (error: unknown) => unknown): this {
    return this.#change({ onCompactionError: handler });
  }

  /** Default: a warning on the console. */
  onListenerError(handler: (error: unknown) => void): this {
    return this.#change({ onListenerError: handler });
  }

  /** Decides what a model is sent. The result is repaired like every history; stored messages stay unchanged. */
  withModelInput(modelInput: ModelInput): this {
    return this.#change({ modelInput });
  }

  /** Appends to an archived session throw `SessionArchivedError`, those of `follow` and `continueAfter` too. */
  refuseWhenArchived(): this {
    return this.#change({ refusesArchived: true });
  }

  /** Timeout of a context provider. Default 5 s. */
  withProviderDeadline(deadlineMs: number): this {
    return this.#change({ providerDeadlineMs: deadlineMs });
  }

  /** Shrinks messages before they are stored, see `enforceRowSizeLimit`. Default: stored whole. */
  withRowSizeLimit(maxBytes?: number): this {
    return this.#change({ rowSize: { maxBytes } });
  }

  /** Metadata that no message with `source: "client"` can set, besides usage, model, summary and the like. */
  withReservedMetadata(keys: readonly string[]): this {
    return this.#change({ reservedMetadata: keys });
  }

  protected static configured<Each extends SessionBuilder>(
    session: Each,
    { context, ...settings }: SessionSettings,
  ): Each {
    session.settings.context.push(...context);
    return session.#change(settings);
  }

  #change(changes: Partial<SessionSettings>): this {
    this.assertConfigurable();
    Object.assign(this.settings, changes);
    return this;
  }
}
