import { BlockConflictError } from "../../session";
import { Conversation, type ConversationOptions, type Notes } from "./conversation";
import { type CreateSessionOptions, createMeta, newMeta, putNew } from "./new-session";
import type { ConsolidateFn, ForkOptions, Message } from "./types";

export type LoadSessionOptions = ConversationOptions;

/** A conversation with a memory (L2) of its records (L3). */
export class Session extends Conversation {
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

  /** Derives the memory from the records, which stay. @throws {MemoryChangedError} when it was written meanwhile. */
  async consolidate(fn: ConsolidateFn): Promise<void> {
    await this.assertActive();
    const before = await this.memory();
    const memory = await fn(before, await this.messages());
    await this.replaceMemory({ before, after: memory });
  }

  /** Creates an independent child. Its model, tools and system prompt are the parent's unless given. */
  async fork({ context = "none", ...options }: ForkOptions): Promise<Session> {
    await this.assertActive();
    const { storage } = this;
    const { llm = this.settings.llm, tools = this.settings.tools } = options;
    const systemPrompt = options.systemPrompt ?? (await this.systemPrompt());
    const records = options.prompt === undefined ? [] : [opening(options.prompt)];
    const child = newMeta(options, "standard");
    if (context === "inherit" && storage.forkSession) {
      await storage.forkSession(this.meta.id, child, { systemPrompt, records });
    } else {
      const inherited = await this.#inherited(context);
      const content = { systemPrompt, records: [...inherited, ...records] };
      await storage.transaction((tx) => putNew(tx, child, content));
    }
    return new Session((await storage.getSession(child.id)) ?? child, { storage, llm, tools });
  }

  async #inherited(context: NonNullable<ForkOptions["context"]>): Promise<Message[]> {
    if (context === "none") return [];
    const records = await this.messages();
    return context === "inherit" ? records : context(records);
  }

  protected async notes(): Promise<Notes> {
    const [note, memory] = await Promise.all([this.insight(), this.memory()]);
    return { note, memory };
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

/** Creates a session under a random id. */
export async function createSession(options: CreateSessionOptions): Promise<Session> {
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

function opening(content: string): Message {
  return { role: "assistant", content, timestamp: new Date().toISOString() };
}
