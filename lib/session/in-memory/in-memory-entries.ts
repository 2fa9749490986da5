import {
  type ContextEntry,
  type DocumentVersion,
  type EntryProvider,
  type FoundEntries,
  indexedEntries,
  type SearchProvider,
  type SkillProvider,
  type WriteOptions,
} from "../context-provider";
import { matches, scoreOf } from "../search/match";
import { parseQuery } from "../search/query";
import { tokenize } from "../search/tokenize";
import { VersionHistory } from "./in-memory-document";

const maxResults = 10;

interface StoredEntry {
  readonly title: string;
  readonly description: string | null;
  readonly history: VersionHistory;
}

abstract class InMemoryEntries implements EntryProvider {
  readonly #entries = new Map<string, StoredEntry>();

  constructor(readonly label: string) {}

  abstract get(): Promise<string | null>;

  async set(
    key: string,
    content: string,
    description?: string,
    options: WriteOptions = {},
  ): Promise<void> {
    const known = this.#entries.get(key);
    const history = known?.history ?? new VersionHistory(this.label);
    history.write(content, options);
    this.#entries.set(key, {
      title: options.title ?? known?.title ?? key,
      description: (description ?? known?.description) || null,
      history,
    });
  }

  async entries({ limit = 1_000 }: { limit?: number } = {}): Promise<ContextEntry[]> {
    return this.list().slice(0, limit);
  }

  async entry(key: string): Promise<ContextEntry | null> {
    return this.list().find((entry) => entry.key === key) ?? null;
  }

  async remove(key: string, options: WriteOptions = {}): Promise<boolean> {
    const known = this.#entries.get(key);
    if (!known || known.history.latest?.content === null) return false;
    known.history.write(null, options);
    return true;
  }

  async entryVersions(key: string, options?: { limit?: number }): Promise<DocumentVersion[]> {
    return this.#entries.get(key)?.history.list(options) ?? [];
  }

  protected list(): ContextEntry[] {
    return [...this.#entries].flatMap(([key, entry]) => presentEntry(key, entry) ?? []).sort(byKey);
  }
}

/** Skills in memory: listed one per line, loaded whole. */
export class InMemorySkillProvider extends InMemoryEntries implements SkillProvider {
  constructor(label = "skills") {
    super(label);
  }

  async get(): Promise<string | null> {
    const lines = this.list().map(
      ({ key, description }) => `- ${key}${description ? `: ${description}` : ""}`,
    );
    return lines.length > 0 ? lines.join("\n") : null;
  }

  async load(key: string): Promise<string | null> {
    return (await this.entry(key))?.content ?? null;
  }
}

/** Searchable entries in memory; a search returns the ten best. */
export class InMemorySearchProvider extends InMemoryEntries implements SearchProvider {
  constructor(label = "knowledge") {
    super(label);
  }

  async get(): Promise<string | null> {
    return indexedEntries(this.list().length);
  }

  async search(text: string): Promise<string | null> {
    return (await this.searchEntries(text))?.text ?? null;
  }

  async searchEntries(text: string): Promise<FoundEntries | null> {
    const query = parseQuery(text, { prefix: false });
    const found = this.list()
      .map((entry) => ({ entry, tokens: tokenize(searchableEntry(entry)) }))
      .filter(({ tokens }) => matches(query, tokens))
      .sort((first, second) => scoreOf(query, second.tokens) - scoreOf(query, first.tokens))
      .slice(0, maxResults)
      .map(({ entry }) => entry);
    if (found.length === 0) return null;
    const texts = found.map(({ key, content }) => `[${key}]\n${content}`);
    return { text: texts.join("\n\n"), keys: found.map(({ key }) => key) };
  }
}

function searchableEntry({ title, description, content }: ContextEntry): string {
  return [title, description, content].join("\n");
}

function presentEntry(
  key: string,
  { title, description, history }: StoredEntry,
): ContextEntry | null {
  const latest = history.latest;
  if (!latest || latest.content === null) return null;
  const { content, version, createdAt } = latest;
  return { key, title, description, content, version, updatedAt: createdAt };
}

function byKey(first: ContextEntry, second: ContextEntry): number {
  return first.key < second.key ? -1 : 1;
}
