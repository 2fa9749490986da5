import type { SkillProvider } from "@/lib/session";

export interface ListedSkill {
  /** The key that `load` takes. */
  readonly key: string;
  /** The name in the front matter, else the key. */
  readonly title: string;
  readonly description: string | null;
  /** Estimated tokens of its document; by its size where the content was not read. */
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

/** Thrown when a source or one of its skills cannot be read; its sentence says why and contains no secret. */
export class SkillSourceError extends Error {
  override readonly name = "SkillSourceError";
}
