import type { SkillProvider } from "@/lib/session";

/** A skill as its source lists it. */
export interface ListedSkill {
  /** What `load` takes. */
  readonly key: string;
  /** What people read: the name its front matter gives, else the key. */
  readonly title: string;
  readonly description: string | null;
  /** What its document costs when it is loaded; by its size where the content was not read. */
  readonly tokens: number;
  readonly updatedAt: Date;
  /** Why it cannot be loaded; `null` when it can. */
  readonly problem: string | null;
}

/** Skills kept outside Grove: a skill block whose skills can also be listed for a person. */
export interface SkillSource extends SkillProvider {
  /** By key. @throws {SkillSourceError} */
  list(): Promise<ListedSkill[]>;
}

/** A source, or one skill of it, that cannot be read; the sentence says which and why, and holds no secret. */
export class SkillSourceError extends Error {
  override readonly name = "SkillSourceError";
}
