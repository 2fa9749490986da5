import type { BlockScope, BlockWriters } from "@/lib/session/block-store";
import type { AnyContextProvider } from "@/lib/session/context-provider";

/** Describes a block of a session. */
export interface ContextOptions {
  /** Its id in the storage, which stays when the label changes. Omitted: the label. */
  readonly blockId?: string | undefined;
  readonly description?: string | undefined;
  /** The most tokens its content may have; a write over it is refused. */
  readonly maxTokens?: number | undefined;
  /** Default `"both"`. */
  readonly writers?: BlockWriters | undefined;
  /** The content while nothing has been written. */
  readonly initial?: string | undefined;
  /**
   * Source of the content, or a function that finds it for a session id. Default: a writable document of the
   * session's storage.
   */
  readonly provider?: AnyContextProvider | ((sessionId: string) => AnyContextProvider) | undefined;
  /** Without a provider: whether the document belongs to this session (default) or to all of its owner's. */
  readonly scope?: BlockScope | undefined;
}

/** A block as given to the constructor of a session. */
export interface ContextDefinition extends ContextOptions {
  readonly label: string;
}

/** A labelled section of the system prompt, as it is now. */
export interface ContextBlock {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  /** For skills and searchable blocks: what their provider says about their entries. */
  readonly content: string;
  readonly tokens: number;
  readonly maxTokens?: number | undefined;
  /** By the model. */
  readonly writable: boolean;
  readonly isSkill: boolean;
  readonly isSearchable: boolean;
  /** The version of the content, where the provider keeps versions; 0 before the first write. */
  readonly version?: number | undefined;
  /** Why the content could not be read; it is empty then. */
  readonly error?: string | undefined;
}

/** A registered block: its set-up with the provider found for it. */
export interface RegisteredBlock
  extends Pick<ContextOptions, "description" | "maxTokens" | "writers" | "initial"> {
  readonly id: string;
  readonly label: string;
  readonly provider: AnyContextProvider;
}
