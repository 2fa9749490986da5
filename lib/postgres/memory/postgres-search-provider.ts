import {
  type ContextEntry,
  excerptText,
  type FoundEntries,
  parseQuery,
  type SearchProvider,
  snippet,
  toTsquery,
} from "@/lib/session";
import { documentKey, entryFromRow } from "./document-store";
import { searchEntries } from "./documents";
import { PostgresEntries } from "./postgres-entries";

const resultLimit = 10;
const resultChars = 1_000;

/** Entries in Postgres that the model finds by searching. */
export class PostgresSearchProvider extends PostgresEntries implements SearchProvider {
  /** `42 entries indexed` */
  async get(): Promise<string> {
    const count = await this.count();
    return `${count} ${count === 1 ? "entry" : "entries"} indexed`;
  }

  /** The best ten entries as text, each with what surrounds the words found; `null` when there is none. */
  async search(query: string): Promise<string | null> {
    return (await this.searchEntries(query))?.text ?? null;
  }

  async searchEntries(query: string): Promise<FoundEntries | null> {
    const entries = await this.find(query);
    if (entries.length === 0) return null;
    const parsed = parseQuery(query);
    const texts = entries.map(
      ({ title, content }) =>
        `[${title}]\n${excerptText(snippet(content, parsed, { maxChars: resultChars }), content)}`,
    );
    return { text: texts.join("\n\n"), keys: entries.map(({ key }) => key) };
  }

  /** The best entries, best first. */
  async find(query: string, limit = resultLimit): Promise<ContextEntry[]> {
    const words = toTsquery(parseQuery(query));
    if (words === null) return [];
    const rows = await searchEntries(this.sql, { ...documentKey(this.location), words, limit });
    return rows.map(entryFromRow);
  }
}
