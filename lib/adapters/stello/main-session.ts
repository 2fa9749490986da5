import { InvalidArgumentError } from "../../session";
import { Conversation, type Notes } from "./conversation";
import { type CreateSessionOptions, createMeta } from "./new-session";
import { Session } from "./session";
import {
  type ConversationOptions,
  type ForkOptions,
  type IntegrateFn,
  type IntegrateResult,
  type MainStorage,
  NotImplementedError,
  type SessionMeta,
} from "./types";

export interface LoadMainSessionOptions extends ConversationOptions<MainStorage> {
  /** Default for `integrate`. */
  integrateFn?: IntegrateFn | undefined;
}

export type CreateMainSessionOptions = CreateSessionOptions<MainStorage> &
  Pick<LoadMainSessionOptions, "integrateFn">;

/** Knows the memories of all sessions of its storage. */
export class MainSession extends Conversation<MainStorage> {
  readonly #integrateFn: IntegrateFn | undefined;

  constructor(meta: SessionMeta, { integrateFn, ...options }: LoadMainSessionOptions) {
    super(meta, options);
    this.#integrateFn = integrateFn;
  }

  /** The last result of `integrate`; `null` before the first. */
  async synthesis(): Promise<string | null> {
    return this.storage.getMemory(this.meta.id);
  }

  /**
   * Combines the memories of all active sessions; synthesis and insights are stored together or not at all. Insights to
   * other sessions are dropped. @throws {InvalidArgumentError} for two insights to one session, and without a function.
   * @throws {MemoryChangedError} after a concurrent integration.
   */
  async integrate(fn: IntegrateFn | undefined = this.#integrateFn): Promise<IntegrateResult> {
    if (!("getAllSessionL2s" in this.storage)) throw new NotImplementedError("getAllSessionL2s");
    await this.assertActive();
    if (!fn) throw new InvalidArgumentError("No integrateFn configured for this main session.");
    const before = await this.synthesis();
    const children = await this.storage.getAllSessionL2s();
    const { synthesis, insights: all } = await fn(children, before);
    const known = new Set(children.map(({ sessionId }) => sessionId));
    const insights = all.filter(({ sessionId }) => known.has(sessionId));
    if (new Set(insights.map(({ sessionId }) => sessionId)).size < insights.length)
      throw new InvalidArgumentError("A session has two insights.");
    await this.replaceMemory({ before, after: synthesis }, async (tx) => {
      for (const { sessionId, content } of insights) await tx.putInsight(sessionId, content);
    });
    return { synthesis, insights };
  }

  /** Model, tools and system prompt are this session's unless given. */
  async fork(options: ForkOptions): Promise<Session> {
    const { consolidateFn } = options;
    return new Session(await this.child(options), {
      ...this.childOptions(options),
      consolidateFn,
    });
  }

  protected async notes(): Promise<Notes> {
    return { note: await this.synthesis() };
  }

  protected async endTurn(): Promise<void> {}
}

/** @throws {InvalidArgumentError} for the id of another session. */
export async function createMainSession(options: CreateMainSessionOptions): Promise<MainSession> {
  return new MainSession(await createMeta(options, "main"), options);
}

/** `null` for an unknown session and for one that is not a main session. */
export async function loadMainSession(
  id: string,
  options: LoadMainSessionOptions,
): Promise<MainSession | null> {
  const meta = await options.storage.getSession(id);
  return meta?.role === "main" ? new MainSession(meta, options) : null;
}
