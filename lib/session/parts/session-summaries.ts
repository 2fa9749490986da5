import { addCompaction } from "@/lib/session/compaction/add-compaction";
import { InvalidArgumentError } from "@/lib/session/errors";
import type { Compaction, CompactionMetadata } from "@/lib/session/session-provider";
import type { SessionStorage } from "./session-storage";

/** The stored summaries of a session. */
export class SessionSummaries {
  readonly #storage: SessionStorage;

  constructor(storage: SessionStorage) {
    this.#storage = storage;
  }

  async list(): Promise<Compaction[]> {
    return this.#storage.provider.getCompactions();
  }

  async add(
    summary: string,
    range: { readonly fromId: string; readonly toId: string },
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    assertNotBlank(summary);
    const { provider } = this.#storage;
    return this.#storage.change(() => addCompaction(provider, summary, { ...range, metadata }));
  }

  async replace(
    compactionId: string,
    summary: string,
    metadata?: CompactionMetadata,
  ): Promise<Compaction> {
    assertNotBlank(summary);
    return this.#storage.change(() =>
      this.#storage.tree("exchanging a summary").replaceCompaction(compactionId, summary, metadata),
    );
  }

  async update(compactionId: string, summary: string): Promise<void> {
    await this.#storage.change(() =>
      this.#storage.tree("editing a summary").updateCompaction(compactionId, summary),
    );
  }

  async remove(compactionId: string): Promise<void> {
    await this.#storage.change(() =>
      this.#storage.tree("removing a summary").removeCompaction(compactionId),
    );
  }

  async restore(compactionId: string): Promise<void> {
    await this.#storage.change(() =>
      this.#storage.tree("restoring a summary").restoreCompaction(compactionId),
    );
  }
}

function assertNotBlank(summary: string): void {
  if (summary.trim() === "") throw new InvalidArgumentError("A summary is not blank.");
}
