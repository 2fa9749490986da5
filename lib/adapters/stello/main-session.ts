import { InvalidArgumentError } from "../../session";
import { Conversation, type ConversationOptions, type Notes } from "./conversation";
import { type CreateSessionOptions, createMeta } from "./new-session";
import {
  type IntegrateFn,
  type IntegrateResult,
  type MainStorage,
  NotImplementedError,
} from "./types";

export type CreateMainSessionOptions = CreateSessionOptions<MainStorage>;

export type LoadMainSessionOptions = ConversationOptions<MainStorage>;

/** Knows the memories of all sessions of its storage. */
export class MainSession extends Conversation<MainStorage> {
  /** The last result of `integrate`; `null` before the first. */
  async synthesis(): Promise<string | null> {
    return this.storage.getMemory(this.meta.id);
  }

  /**
   * Combines the memories of all active sessions; synthesis and insights are stored together or not at all.
   *
   * @throws {InvalidArgumentError} for an insight to a session that was not combined, or two to one.
   * @throws {MemoryChangedError} when another integration ended meanwhile.
   */
  async integrate(fn: IntegrateFn): Promise<IntegrateResult> {
    if (!("getAllSessionL2s" in this.storage)) throw new NotImplementedError("getAllSessionL2s");
    await this.assertActive();
    const before = await this.synthesis();
    const children = await this.storage.getAllSessionL2s();
    const result = await fn(children, before);
    assertReceivers(
      result,
      children.map(({ sessionId }) => sessionId),
    );
    await this.replaceMemory({ before, after: result.synthesis }, async (tx) => {
      for (const { sessionId, content } of result.insights) await tx.putInsight(sessionId, content);
    });
    return result;
  }

  protected async notes(): Promise<Notes> {
    return { note: await this.synthesis(), memory: null };
  }

  protected async endTurn(): Promise<void> {}
}

/** Creates a main session under a random id. */
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

function assertReceivers({ insights }: IntegrateResult, known: readonly string[]): void {
  const receivers = new Set<string>();
  for (const { sessionId } of insights) {
    if (!known.includes(sessionId))
      throw new InvalidArgumentError(`Session "${sessionId}" was not integrated.`);
    if (receivers.has(sessionId))
      throw new InvalidArgumentError(`Session "${sessionId}" has two insights.`);
    receivers.add(sessionId);
  }
}
