import { BlockConflictError, InvalidArgumentError } from "../../session";
import { answerOf, streamed } from "./answer";
import { assembleContext, compressWith, type Summary } from "./context";
import { newMeta, putNew, sessionTaken } from "./new-session";
import { toolResults } from "./tool-results";
import {
  type ConversationOptions,
  type ForkOptions,
  type LLMAdapter,
  type LLMResult,
  MemoryChangedError,
  type Message,
  type MessageQueryOptions,
  type SendOptions,
  type SendResult,
  SessionArchivedError,
  type SessionMeta,
  type SessionMetaUpdate,
  type SessionStorage,
  type StreamResult,
  type ToolDefinition,
} from "./types";

/** System texts after the system prompt. */
export interface Notes {
  readonly identity?: string | null;
  readonly note: string | null;
}

/** Turns of one object run one after the other. */
export abstract class Conversation<Storage extends SessionStorage = SessionStorage> {
  protected readonly storage: Storage;
  protected readonly settings: Omit<ConversationOptions<Storage>, "storage">;
  #meta: SessionMeta;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #summary: Summary | null = null;

  constructor(meta: SessionMeta, { storage, ...settings }: ConversationOptions<Storage>) {
    this.#meta = meta;
    this.storage = storage;
    this.settings = settings;
  }

  get meta(): Readonly<SessionMeta> {
    return this.#meta;
  }

  protected abstract notes(): Promise<Notes>;

  protected abstract endTurn(notes: Notes): Promise<void>;

  /**
   * Calls the model once and stores the message with its answer, both or neither. Tool results are sent as JSON:
   * `{"toolResults": [{"toolCallId", "success", "data", "error"}]}`. @throws {SessionArchivedError} @throws any error
   * of the model. @throws the reason of an aborted signal.
   */
  async send(content: string, { signal }: SendOptions = {}): Promise<SendResult> {
    return this.#turn(content, signal, (llm, context) =>
      llm.complete(context, { tools: this.settings.tools, signal }),
    );
  }

  /** `send` in pieces; one piece from a model that does not stream. @throws {SessionArchivedError} */
  stream(content: string, { signal }: SendOptions = {}): StreamResult {
    if (this.#meta.status === "archived") throw new SessionArchivedError(this.#meta.id);
    const options = { tools: this.settings.tools, signal };
    return streamed((push) =>
      this.#turn(content, signal, (llm, context) => answerOf({ llm, context, options }, push)),
    );
  }

  /** Oldest first. */
  async messages(options?: MessageQueryOptions): Promise<Message[]> {
    return this.storage.listRecords(this.#meta.id, options);
  }

  async systemPrompt(): Promise<string | null> {
    return (
      (await this.storage.getSystemPrompt(this.#meta.id)) ?? this.settings.systemPrompt ?? null
    );
  }

  async setSystemPrompt(content: string): Promise<void> {
    await this.assertActive();
    await this.storage.putSystemPrompt(this.#meta.id, content);
  }

  /** Removes all but the newest records. @throws {InvalidArgumentError} for a count below zero. */
  async trimRecords(keepRecent: number): Promise<void> {
    if (!Number.isInteger(keepRecent) || keepRecent < 0)
      throw new InvalidArgumentError("keepRecent must be a non-negative integer.");
    await this.assertActive();
    await this.storage.trimRecords(this.#meta.id, keepRecent);
  }

  async updateMeta(updates: SessionMetaUpdate): Promise<void> {
    await this.assertActive();
    const { label, tags, metadata } = updates;
    await this.#put({
      ...(label !== undefined && { label }),
      ...(tags !== undefined && { tags }),
      ...(metadata !== undefined && { metadata }),
    });
  }

  /** Every later write is refused, also by other objects of the session. */
  async archive(): Promise<void> {
    await this.#refresh();
    await this.#put({ status: "archived" });
  }

  setLLM(adapter: LLMAdapter): void {
    this.settings.llm = adapter;
  }

  get tools(): ToolDefinition[] | undefined {
    return this.settings.tools;
  }

  /** From the next message on. */
  setTools(tools: ToolDefinition[] | undefined): void {
    this.settings.tools = tools;
  }

  protected childOptions({ llm, tools, compressFn }: ForkOptions) {
    const { storage, settings } = this;
    return {
      storage,
      llm: llm ?? settings.llm,
      tools: tools ?? settings.tools,
      compressFn: compressFn ?? settings.compressFn,
    };
  }

  protected async child({ context = "none", ...options }: ForkOptions): Promise<SessionMeta> {
    await this.assertActive();
    const { storage } = this;
    const child = newMeta(options, "standard");
    if (await storage.getSession(child.id)) throw sessionTaken(child.id);
    const systemPrompt = options.systemPrompt ?? (await this.systemPrompt());
    const records = options.prompt === undefined ? [] : [opening(options.prompt)];
    if (context === "inherit" && storage.forkSession) {
      await storage.forkSession(this.meta.id, child, { systemPrompt, records });
    } else {
      const all = context === "none" ? [] : await this.messages();
      const inherited = typeof context === "function" ? await context(all) : all;
      const content = { systemPrompt, records: [...inherited, ...records] };
      await storage.transaction((tx) => putNew(tx, child, content));
    }
    return (await storage.getSession(child.id)) ?? child;
  }

  /** @throws {SessionArchivedError} also when another object has archived the session. */
  protected async assertActive(): Promise<void> {
    await this.#refresh();
    if (this.#meta.status === "archived") throw new SessionArchivedError(this.#meta.id);
  }

  /**
   * Stores a memory and the texts of `alsoWrite`, or nothing. @throws {MemoryChangedError} when the memory is no longer
   * `before`.
   */
  protected async replaceMemory(
    { before, after }: { readonly before: string | null; readonly after: string },
    alsoWrite?: (tx: SessionStorage) => Promise<void>,
  ): Promise<void> {
    const { id } = this.#meta;
    try {
      await this.storage.transaction(async (tx) => {
        if ((await tx.getMemory(id)) !== before) throw new MemoryChangedError(id);
        await tx.putMemory(id, after);
        await alsoWrite?.(tx);
      });
    } catch (error) {
      if (error instanceof BlockConflictError) throw new MemoryChangedError(id, { cause: error });
      throw error;
    }
  }

  async #turn(
    content: string,
    signal: AbortSignal | undefined,
    ask: (llm: LLMAdapter, context: Message[]) => Promise<LLMResult>,
  ): Promise<SendResult> {
    const take = () => this.#takeTurn(content, signal, ask);
    const turn = this.#lastTurn.then(take, take);
    this.#lastTurn = turn;
    return turn;
  }

  async #takeTurn(
    content: string,
    signal: AbortSignal | undefined,
    ask: (llm: LLMAdapter, context: Message[]) => Promise<LLMResult>,
  ): Promise<SendResult> {
    await this.assertActive();
    const { llm } = this.settings;
    if (!llm)
      throw new InvalidArgumentError(
        "An LLMAdapter is required for send(): pass `llm`, or call setLLM().",
      );
    const [systemPrompt, notes, records] = await Promise.all([
      this.systemPrompt(),
      this.notes(),
      this.messages(),
    ]);
    const timestamp = new Date().toISOString();
    const newRecords = toolResults(content, { records, timestamp }) ?? [
      { role: "user" as const, content, timestamp },
    ];
    const { maxContextTokens } = llm;
    signal?.throwIfAborted();
    const { messages, summary } = await assembleContext({
      head: [systemPrompt, notes.identity ?? null, notes.note],
      ...{ records, newRecords, maxContextTokens, earlier: this.#summary },
      compress: this.settings.compressFn ?? compressWith(llm, signal),
    });
    this.#summary = summary;
    signal?.throwIfAborted();
    const result = await ask(llm, messages);
    // Some models answer a request that was given up.
    signal?.throwIfAborted();
    await this.storage.transaction(async (tx) => {
      for (const record of [...newRecords, answerRecord(result)])
        await tx.appendRecord(this.#meta.id, record);
    });
    await this.endTurn(notes);
    return result;
  }

  async #refresh(): Promise<void> {
    this.#meta = (await this.storage.getSession(this.#meta.id)) ?? this.#meta;
  }

  async #put(changes: Partial<SessionMeta>): Promise<void> {
    const updatedAt = new Date().toISOString();
    await this.storage.putSession({ ...this.#meta, ...changes, updatedAt });
    await this.#refresh();
  }
}

function answerRecord({ content, toolCalls = [] }: LLMResult): Message {
  return {
    role: "assistant",
    content: content ?? "",
    ...(toolCalls.length > 0 && { toolCalls }),
    timestamp: new Date().toISOString(),
  };
}

function opening(content: string): Message {
  return { role: "assistant", content, timestamp: new Date().toISOString() };
}
