import type { UIMessageChunk } from "ai";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunStore } from "@/lib/chat/core/run-store";
import type { AnswerSpool, RunAddress } from "./answer-spool";

const flushMs = 80;
/** Together, many answers then write no more than about 100 batches a second. */
const flushMsPerAnswer = 10;
const longestFlushMs = 500;
export const batchChunks = 1_000;
/** A crash may cost this much text while the database is away. */
const spoolMs = 1_000;

export interface ChunkLogOptions {
  readonly spool: AnswerSpool | null;
  readonly part?: number;
  readonly answers?: () => number;
}

/**
 * The log must not stop the answer: while the database is away, chunks go to the spool, and again to the database every
 * second.
 */
export class ChunkLog {
  readonly #runs: RunStore;
  readonly #run: RunAddress & { readonly part: number };
  readonly #spool: AnswerSpool | null;
  readonly #answers: () => number;
  readonly #chunks: UIMessageChunk[] = [];
  #stored = 0;
  #spooled = 0;
  /** The last write failed, and may have been stored all the same. */
  #isUncertain = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #spooling: Promise<void> = Promise.resolve();

  constructor(
    { spaceId, runs }: Pick<OwnerData, "spaceId" | "runs">,
    runId: string,
    { spool, part = 0, answers = () => 1 }: ChunkLogOptions,
  ) {
    this.#runs = runs;
    this.#run = { ownerId: spaceId, runId, part };
    this.#spool = spool;
    this.#answers = answers;
  }

  add(chunk: UIMessageChunk): void {
    this.#chunks.push(chunk);
    this.#schedule(this.#isUncertain ? spoolMs : flushMsFor(this.#answers()));
  }

  async close(): Promise<boolean> {
    this.#isClosed = true;
    this.#flush();
    await this.#writing;
    return this.#isComplete;
  }

  /** Spools everything, also once logged: a database that dies may lose its last moments. */
  keep(): void {
    this.#spooling = this.#spooling.then(async () => {
      const from = this.#spooled;
      const chunks = this.#chunks.slice(from);
      if (!this.#spool || chunks.length === 0) return;
      if (await this.#spool.append(this.#run, { from, chunks }))
        this.#spooled = from + chunks.length;
    });
  }

  async removeSpooled(): Promise<void> {
    await this.#spooling;
    if (this.#spooled > 0) await this.#spool?.remove(this.#run);
  }

  get #isComplete(): boolean {
    return this.#stored === this.#chunks.length;
  }

  #schedule(afterMs: number): void {
    this.#timer ??= setTimeout(() => this.#flush(), afterMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
  }

  async #write(): Promise<void> {
    const spooling = setInterval(() => this.keep(), spoolMs);
    try {
      await this.#store();
    } catch {
      this.#isUncertain = true;
      this.keep();
      await this.#spooling;
      if (!this.#isClosed) this.#schedule(spoolMs);
    } finally {
      clearInterval(spooling);
    }
  }

  async #store(): Promise<void> {
    const { runId } = this.#run;
    if (this.#isUncertain) this.#stored = (await this.#runs.readChunks(runId, 0)).length;
    this.#isUncertain = false;
    while (!this.#isComplete) {
      const batch = this.#chunks.slice(this.#stored, this.#stored + batchChunks);
      await this.#runs.appendChunks(runId, this.#stored, batch);
      this.#stored += batch.length;
    }
  }
}

export function flushMsFor(answers: number): number {
  return Math.min(longestFlushMs, Math.max(flushMs, answers * flushMsPerAnswer));
}
