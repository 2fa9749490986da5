import type { SessionStore } from "grove-session";
import type { BlockStore, DeletionStore } from "grove-session/ports";
import type { SkillSource } from "grove-session/skills";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { FeatureRefusal } from "@/lib/llm";
import type { ConsentStore } from "./consents";
import type { FileStore } from "./file-store";
import type { RunStore } from "./run-store";
import type { ChosenTools } from "./tool-source";
import type { UsageLog } from "./usage-log";

export interface SourceBlock {
  readonly label: string;
  readonly description: string;
  readonly origin: string;
  readonly source: SkillSource;
}

export interface Turns {
  /** Runs the tasks of a name one after another, in all processes. A task takes no further turn. */
  take<Result>(names: string | readonly string[], task: () => Promise<Result>): Promise<Result>;
}

export interface OwnerData {
  readonly ownerId: string;
  readonly store: SessionStore;
  readonly runs: RunStore;
  readonly usage: UsageLog;
  readonly blocks: BlockStore;
  readonly files: FileStore;
  readonly deletions: DeletionStore;
  readonly sourceBlocks: readonly SourceBlock[];
  readonly tools: ChosenTools;
  readonly consents: ConsentStore;
  readonly turns: Turns;
  noteRefusal(ref: string, refusal: FeatureRefusal): Promise<void>;
  defaultMemoryMode(): Promise<MemoryMode>;
}
