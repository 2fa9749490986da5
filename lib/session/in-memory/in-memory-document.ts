import type {
  DocumentVersion,
  VersionedContextProvider,
  WriteOptions,
  WriteProvenance,
} from "../context-provider";
import { BlockConflictError } from "../errors";

const unknownWriter: WriteProvenance = { author: "system" };

export class VersionHistory {
  readonly #versions: DocumentVersion[];

  constructor(
    readonly label: string,
    versions: readonly DocumentVersion[] = [],
  ) {
    this.#versions = [...versions];
  }

  get latest(): DocumentVersion | null {
    return this.#versions.at(-1) ?? null;
  }

  write(
    content: string | null,
    { expectedVersion, provenance = unknownWriter }: WriteOptions,
  ): void {
    const current = this.latest?.version ?? 0;
    if (expectedVersion !== undefined && expectedVersion !== current) {
      throw new BlockConflictError(this.label, expectedVersion, current);
    }
    const version = { version: current + 1, content, provenance, createdAt: new Date() };
    this.#versions.push(version);
  }

  list({ limit = 100 }: { limit?: number } = {}): DocumentVersion[] {
    return this.#versions.toReversed().slice(0, limit);
  }
}

export interface DocumentAccess {
  readonly beforeRead?: () => void;
  readonly beforeWrite?: () => void;
}

/** Text with all its versions, kept until the process ends. */
export class InMemoryDocument implements VersionedContextProvider {
  readonly #history: VersionHistory;

  constructor(
    readonly label = "document",
    versions: readonly DocumentVersion[] = [],
    readonly access: DocumentAccess = {},
  ) {
    this.#history = new VersionHistory(label, versions);
  }

  get version(): number {
    return this.#history.latest?.version ?? 0;
  }

  copy(access: DocumentAccess): InMemoryDocument {
    return new InMemoryDocument(this.label, this.allVersions(), access);
  }

  allVersions(): DocumentVersion[] {
    return this.#history.list({ limit: Number.POSITIVE_INFINITY }).reverse();
  }

  async get(): Promise<string | null> {
    this.access.beforeRead?.();
    return this.#history.latest?.content ?? null;
  }

  async set(content: string, options: WriteOptions = {}): Promise<void> {
    this.write(content, options);
  }

  write(content: string, options: WriteOptions = {}): void {
    this.access.beforeWrite?.();
    this.#history.write(content, options);
  }

  async read(): Promise<{ content: string; version: number }> {
    this.access.beforeRead?.();
    const { content, version } = this.#history.latest ?? { content: "", version: 0 };
    return { content: content ?? "", version };
  }

  async versions(options?: { limit?: number }): Promise<DocumentVersion[]> {
    this.access.beforeRead?.();
    return this.#history.list(options);
  }
}
