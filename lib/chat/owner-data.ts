import type {
  ContextEntry,
  EntryProvider,
  SearchProvider,
  SessionStore,
  SkillProvider,
  VersionedContextProvider,
  WriteOptions,
} from "@/lib/session";
import type { SkillSource } from "@/lib/skills";
import type { RunStore } from "./answering/run-store";
import type { UsageLog } from "./answering/usage";
import type { BlockKind } from "./wire/memory";
import type { MemoryMode } from "./wire/sessions";

/** A version of a memory document that an answer wrote, and the text before it. */
export interface AnswerWrite {
  readonly label: string;
  /** `null` for a block. */
  readonly key: string | null;
  readonly version: number;
  readonly before: string;
  readonly after: string;
}

/** Where a version that a message wrote stands now. */
export interface WrittenVersion {
  readonly messageId: string;
  /** What its block is called now; `null` when that is deleted. */
  readonly label: string | null;
  /** `null` for a block. */
  readonly key: string | null;
  readonly version: number;
}

/** A keyed block whose entries a person can write with a title of their own. */
export interface EditableEntries extends EntryProvider {
  get(): string | null | Promise<string | null>;
  count(): Promise<number>;
  write(
    key: string,
    entry: { title: string; content: string; description?: string | undefined },
    options?: WriteOptions,
  ): Promise<number>;
}

/** Knowledge as the app uses it: found by the model as text, by the person as entries. */
export interface Knowledge extends EditableEntries, Pick<SearchProvider, "search"> {
  find(query: string, limit?: number): Promise<ContextEntry[]>;
}

export interface Skills extends EditableEntries, Pick<SkillProvider, "load"> {}

/** Skills kept outside Grove, as a block of their own: read, listed and loaded here, written where they are kept. */
export interface SourceBlock {
  readonly label: string;
  readonly description: string;
  /** Where they are kept, for the person. */
  readonly origin: string;
  readonly source: SkillSource;
}

/** A block as a person sets it up: one of their own, or what they change about one that everybody has. */
export interface NewBlock {
  readonly label: string;
  /** `null` when it holds in every session. */
  readonly sessionId: string | null;
  readonly description: string;
  readonly kind: BlockKind;
  readonly writers: "person" | "both";
  readonly maxTokens: number | null;
}

export interface BlockSetup extends NewBlock {
  /** Stays when it is renamed. */
  readonly id: number;
}

/** Whose documents are meant, besides the label: with the id of a block they are followed when it is renamed. */
export interface DocumentPlace {
  readonly blockId?: number | undefined;
}

/** Where the blocks of an owner are set up. A label is taken when two blocks of one session would have it. */
export interface BlockSetups {
  /** Those of every session, then those of one, each in the order they were made. */
  list(sessionId: string | null): Promise<BlockSetup[]>;
  /** `false` when the label is taken. */
  add(block: NewBlock): Promise<boolean>;
  /** Notes what is different about a block, whether or not something was noted before. */
  put(block: NewBlock): Promise<void>;
  /** Its texts and their versions come along. `false` when the label is taken. */
  rename(block: Pick<BlockSetup, "label" | "sessionId">, to: string): Promise<boolean>;
  /** Takes it away with its texts. @returns what brings it back; `null` when there is none. */
  remove(block: Pick<BlockSetup, "label" | "sessionId">): Promise<string | null>;
  /** A deleted block under the label it had; `null` for an unknown deletion. */
  deleted(deletionId: string): Promise<Pick<BlockSetup, "label" | "sessionId"> | null>;
  /** Undoes a deletion. `false` when the label has been taken since. */
  restore(deletionId: string, block: Pick<BlockSetup, "label" | "sessionId">): Promise<boolean>;
}

/** Everything one owner has, as the use cases see it. Whoever makes it binds it to the owner. */
export interface OwnerData {
  readonly ownerId: string;
  readonly store: SessionStore;
  readonly runs: RunStore;
  readonly usage: UsageLog;
  /** A plain block that holds in every session. */
  block(label: string, place?: DocumentPlace): VersionedContextProvider;
  /** A plain block of one session. */
  sessionBlock(label: string, sessionId: string, place?: DocumentPlace): VersionedContextProvider;
  /** Which blocks there are besides those that everybody has. */
  readonly blocks: BlockSetups;
  readonly knowledge: Knowledge;
  readonly skills: Skills;
  /** A searchable block of a person's own; `null` for one that holds in every session. */
  searchable(label: string, sessionId: string | null, place?: DocumentPlace): Knowledge;
  /** A loadable block besides `skills`; `null` for one that holds in every session. */
  loadable(label: string, sessionId: string | null, place?: DocumentPlace): Skills;
  readonly sourceBlocks: readonly SourceBlock[];
  /** The versions of memory documents that an answer wrote, in the order of writing. */
  writesOf(sessionId: string, messageId: string): Promise<AnswerWrite[]>;
  /** Where all that stands now that messages of a session wrote, of each in the order of writing. */
  writtenBy(sessionId: string, messageIds: readonly string[]): Promise<WrittenVersion[]>;
  /** Whether the model may write memory in new sessions. */
  defaultMemoryMode(): Promise<MemoryMode>;
}
