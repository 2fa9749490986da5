import type { SkillProvider } from "../session";

export interface ListedSkill {
  readonly key: string;
  readonly title: string;
  readonly description: string | null;
  /** Estimated; by size where the content was not read. */
  readonly tokens: number;
  readonly updatedAt: Date;
  /** `null` when it can be loaded. */
  readonly problem: string | null;
}

/** Kept outside Grove; skills can also be listed for a person. */
export interface SkillSource extends SkillProvider {
  /** By key. @throws {SkillSourceError} */
  list(): Promise<ListedSkill[]>;
}

/** The sentence contains no secret. */
export class SkillSourceError extends Error {
  override readonly name = "SkillSourceError";
}
