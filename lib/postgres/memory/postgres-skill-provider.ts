import type { SkillProvider } from "@/lib/session";
import { documentKey } from "./document-store";
import { listEntryHeads } from "./documents";
import { PostgresEntries } from "./postgres-entries";

/** Documents in Postgres that the model sees as a list and loads whole. */
export class PostgresSkillProvider extends PostgresEntries implements SkillProvider {
  /**
   * One line a skill: `- key: description`; `null` when there is none. Files of a skill, under `<key>/<file>`, are loaded
   * because its text names them, and not listed.
   */
  async get(): Promise<string | null> {
    const heads = await listEntryHeads(this.sql, documentKey(this.location));
    if (heads.length === 0) return null;
    return heads
      .map(({ key, description }) => `- ${key}${description ? `: ${description}` : ""}`)
      .join("\n");
  }

  async load(key: string): Promise<string | null> {
    return (await this.entry(key))?.content ?? null;
  }
}
