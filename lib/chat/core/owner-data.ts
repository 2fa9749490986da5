import type { SessionInfo, SessionStore } from "grove-session";
import type { Block, BlockStore, DeletionStore, FrozenText } from "grove-session/ports";
import type { SkillSource } from "grove-session/skills";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { FeatureRefusal } from "@/lib/llm";
import type { ConsentStore } from "./consents";
import type { FileStore, KnowledgeStore } from "./file-store";
import type { PersonInSpace } from "./person-in-space";
import type { RunStore } from "./run-store";
import type { ChosenTools } from "./tool-source";
import type { UsageLog } from "./usage-log";

export interface SourceBlock {
  readonly label: string;
  readonly description: string;
  readonly origin: string;
  readonly source: SkillSource;
}

export interface SendFacts {
  readonly session: SessionInfo | null;
  /** Blocks with the versions of their texts, 0 before the first. */
  readonly blocks: readonly (Block & { readonly version: number })[];
  /** `null` before the first answer. */
  readonly frozen: FrozenText | null;
  readonly known: ReadonlySet<string>;
  readonly pausedRunId: string | null;
}

export interface Turns {
  /** Tasks of a name run one after another, in all processes. A task takes no further turn. */
  take<Result>(names: string | readonly string[], task: () => Promise<Result>): Promise<Result>;
}

export interface PersonalPart {
  readonly id: string;
  readonly prompt: string;
}

export interface PersonalParts {
  newest(sessionId: string): Promise<PersonalPart | null>;
  add(sessionId: string, part: PersonalPart): Promise<void>;
  get(id: string): Promise<PersonalPart | null>;
}

/** No row of the project holds the person's own memory. */
export interface PersonalMemory {
  readonly isOn: boolean;
  readonly own: OwnerData;
  readonly parts: PersonalParts;
}

export interface OwnerData extends PersonInSpace {
  readonly store: SessionStore;
  readonly runs: RunStore;
  readonly usage: UsageLog;
  readonly blocks: BlockStore;
  readonly files: FileStore;
  readonly knowledge: KnowledgeStore;
  readonly deletions: DeletionStore;
  readonly sourceBlocks: readonly SourceBlock[];
  readonly tools: ChosenTools;
  readonly consents: ConsentStore;
  readonly turns: Turns;
  /** Absent outside of projects. */
  readonly personal?: PersonalMemory | undefined;
  /** The key of the assistant that new chats of a project begin with. */
  readonly defaultAssistant?: string | null | undefined;
  sendFacts(
    sessionId: string,
    about: { readonly ids: readonly string[]; readonly parentId: string | null },
  ): Promise<SendFacts>;
  noteRefusal(ref: string, refusal: FeatureRefusal): Promise<void>;
  defaultMemoryMode(): Promise<MemoryMode>;
}
