import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { Refusal } from "@/lib/llm";
import type { SessionStore } from "@/lib/session";
import type { BlockStore, DeletionStore } from "@/lib/session/internal";
import type { SkillSource } from "@/lib/skills";
import type { ConsentStore } from "./consents";
import type { FileStore } from "./file-store";
import type { RunStore } from "./run-store";
import type { ChosenTools } from "./tool-source";
import type { UsageLog } from "./usage-log";

/** External skills as a read-only block. */
export interface SourceBlock {
  readonly label: string;
  readonly description: string;
  /** Location, shown to the person. */
  readonly origin: string;
  readonly source: SkillSource;
}

export interface Turns {
  /** Runs the tasks of one name one after another, also those of other processes. A task takes no further turn. */
  take<Result>(names: string | readonly string[], task: () => Promise<Result>): Promise<Result>;
}

/** Everything of one owner for the use cases, bound to that owner. */
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
  /** Remembers that the server of a model refused it. */
  noteRefusal(ref: string, refusal: Refusal): Promise<void>;
  /** Memory mode of new sessions. */
  defaultMemoryMode(): Promise<MemoryMode>;
}
