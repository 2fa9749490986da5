import type { BlockStore, SessionStore } from "@/lib/session";
import type { SkillSource } from "@/lib/skills";
import type { RunStore } from "./answering/run-store";
import type { UsageLog } from "./answering/usage";
import type { MemoryMode } from "./wire/sessions";

/** Skills kept outside Grove, as a block of their own: read, listed and loaded here, written where they are kept. */
export interface SourceBlock {
  readonly label: string;
  readonly description: string;
  /** Location, shown to the person. */
  readonly origin: string;
  readonly source: SkillSource;
}

/** Everything one owner has, as the use cases see it. Whoever makes it binds it to the owner. */
export interface OwnerData {
  readonly ownerId: string;
  readonly store: SessionStore;
  readonly runs: RunStore;
  readonly usage: UsageLog;
  readonly blocks: BlockStore;
  readonly sourceBlocks: readonly SourceBlock[];
  /** Whether the model may write memory in new sessions. */
  defaultMemoryMode(): Promise<MemoryMode>;
}
