import { BlockConflictError, InvalidArgumentError } from "../../session";
import { Conversation, type Notes } from "./conversation";
import { type CreateSessionOptions, createMeta, defaultLabels } from "./new-session";
import type { ConsolidateFn, ConversationOptions, ForkOptions, SessionMeta } from "./types";

export interface LoadSessionOptions extends ConversationOptions {
  /** Default for `consolidate`. */
  consolidateFn?: ConsolidateFn | undefined;
}

/** A conversation with a memory (L2) of its records (L3). */
export class Session extends Conversation {
  readonly #consolidateFn: ConsolidateFn | undefined;

  constructor(meta: SessionMeta, { consolidateFn, ...options }: LoadSessionOptions) {
    super(meta, options);
    this.#consolidateFn = consolidateFn;
  }

  /** Pushed by a main session; the next answered message uses it up. */
  async insight(): Promise<string | null> {
    return this.storage.getInsight(this.meta.id);
  }

  async setInsight(content: string): Promise<void> {
    await this.assertActive();
    await this.storage.putInsight(this.meta.id, content);
  }

  /** L2; `null` before it is first consolidated. */
  async memory(): Promise<string | null> {
    return this.storage.getMemory(this.meta.id);
  }

  /**
   * Derives the memory from the records, which stay. @throws {MemoryChangedError} when it was written meanwhile.
   * @throws {InvalidArgumentError} without a function.
   */
  async consolidate(fn: ConsolidateFn | undefined = this.#consolidateFn): Promise<void> {
    await this.assertActive();
    if (!fn)
      throw new InvalidArgumentError("No consolidateFn configured: pass one to the session.");
    const before = await this.memory();
    const memory = await fn(before, await this.messages());
    await this.replaceMemory({ before, after: memory });
  }

  /** Creates an independent child. What is not given is the parent's. */
  async fork(options: ForkOptions): Promise<Session> {
    const { consolidateFn = this.#consolidateFn } = options;
    return new Session(await this.child(options), {
      ...this.childOptions(options),
      consolidateFn,
    });
  }

  protected async notes(): Promise<Notes> {
    const { label } = this.meta;
    const isNamed = label !== "" && label !== defaultLabels.standard;
    const text = `<session_identity>\nYou are in the session “${label}”.\n</session_identity>`;
    return { identity: isNamed ? text : null, note: await this.insight() };
  }

  /** An insight that arrived since the turn began is for the next one. */
  protected async endTurn({ note }: Notes): Promise<void> {
    if (note === null) return;
    const { id } = this.meta;
    try {
      await this.storage.transaction(async (tx) => {
        if ((await tx.getInsight(id)) === note) await tx.clearInsight(id);
      });
    } catch (error) {
      if (!(error instanceof BlockConflictError)) throw error;
    }
  }
}

/** @throws {InvalidArgumentError} for the id of another session. */
export async function createSession(
  options: CreateSessionOptions & Pick<LoadSessionOptions, "consolidateFn">,
): Promise<Session> {
  return new Session(await createMeta(options, "standard"), options);
}

/** `null` for an unknown session and for a main session. */
export async function loadSession(
  id: string,
  options: LoadSessionOptions,
): Promise<Session | null> {
  const meta = await options.storage.getSession(id);
  return meta?.role === "standard" ? new Session(meta, options) : null;
}
