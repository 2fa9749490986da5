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
import type { RunStore } from "./run/run-store";
import type { UsageLog } from "./usage/usage-log";
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

/** Everything one owner has, as the use cases see it. Whoever makes it binds it to the owner. */
export interface OwnerData {
  readonly ownerId: string;
  readonly store: SessionStore;
  readonly runs: RunStore;
  readonly usage: UsageLog;
  /** A plain block that holds in every session. */
  block(label: string): VersionedContextProvider;
  /** A plain block of one session. */
  sessionBlock(label: string, sessionId: string): VersionedContextProvider;
  readonly knowledge: Knowledge;
  readonly skills: Skills;
  readonly sourceBlocks: readonly SourceBlock[];
  /** The versions of memory documents that an answer wrote, in the order of writing. */
  writesOf(sessionId: string, messageId: string): Promise<AnswerWrite[]>;
  /** Whether the model may write memory in new sessions. */
  defaultMemoryMode(): Promise<MemoryMode>;
}
