// The documented types of `@stello-ai/session`, which no registry has.

/** Tool results are messages of their own, after the assistant message with their calls. */
export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  content: string;
  toolCalls?: ToolCall[] | undefined;
  toolCallId?: string | undefined;
  /** ISO 8601. */
  timestamp?: string | undefined;
}

export interface ToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

/** `inputSchema` is a JSON Schema. */
export interface ToolDefinition {
  name: string;
  description: string;
  inputSchema: Record<string, unknown>;
}

export interface SessionMeta {
  readonly id: string;
  label: string;
  role: "standard" | "main";
  status: "active" | "archived";
  tags: string[];
  metadata: Record<string, unknown>;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

/** Omitted fields stay; `tags` and `metadata` are replaced. */
export interface SessionMetaUpdate {
  label?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Every given field must match; a session needs all of `tags`. */
export interface SessionFilter {
  status?: SessionMeta["status"] | undefined;
  role?: SessionMeta["role"] | undefined;
  tags?: string[] | undefined;
}

/** Filters by role first, then skips `offset` from the oldest, then takes `limit`. */
export interface ListRecordsOptions {
  limit?: number | undefined;
  offset?: number | undefined;
  role?: Message["role"] | undefined;
}

export type MessageQueryOptions = ListRecordsOptions;

/** A session's place in a topology; `id` is the session's. */
export interface TopologyNode {
  id: string;
  parentId: string | null;
  label: string;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

export interface LLMCompleteOptions {
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  tools?: ToolDefinition[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface LLMResult {
  /** `null` when the model only calls tools. */
  content: string | null;
  toolCalls?: ToolCall[] | undefined;
  usage?: TokenUsage | undefined;
}

/** `input` is a piece of JSON; pieces of one call have its `index`. */
export interface LLMChunk {
  delta: string;
  toolCallDeltas?:
    | {
        index: number;
        id?: string | undefined;
        name?: string | undefined;
        input?: string | undefined;
      }[]
    | undefined;
  usage?: TokenUsage | undefined;
}

export interface LLMAdapter {
  complete(messages: Message[], options?: LLMCompleteOptions): Promise<LLMResult>;
  stream?(messages: Message[], options?: LLMCompleteOptions): AsyncIterable<LLMChunk>;
  maxContextTokens: number;
}

export type SendResult = LLMResult;

/** `result` settles when the answer is stored, also when nobody reads the text. */
export interface StreamResult extends AsyncIterable<string> {
  result: Promise<SendResult>;
}

export interface SendOptions {
  /** An abort before the answer is complete stores nothing of the turn. */
  signal?: AbortSignal | undefined;
}

export type ConsolidateFn = (currentMemory: string | null, messages: Message[]) => Promise<string>;

/** Summarizes the older messages of a conversation. */
export type CompressFn = (messages: Message[]) => Promise<string>;

export type ForkContextFn = (parentRecords: Message[]) => Message[] | Promise<Message[]>;

export interface ForkOptions {
  /** Default: a random id. */
  id?: string | undefined;
  label: string;
  /** Default: the parent's. */
  systemPrompt?: string | undefined;
  /** Default `"none"`. */
  context?: "none" | "inherit" | ForkContextFn | undefined;
  /** The child's first message, by the assistant; after the inherited ones. */
  prompt?: string | undefined;
  llm?: LLMAdapter | undefined;
  tools?: ToolDefinition[] | undefined;
  consolidateFn?: ConsolidateFn | undefined;
  compressFn?: CompressFn | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

export interface ChildL2Summary {
  sessionId: string;
  label: string;
  l2: string;
}

export interface IntegrateResult {
  synthesis: string;
  insights: { sessionId: string; content: string }[];
}

export type IntegrateFn = (
  children: ChildL2Summary[],
  currentSynthesis: string | null,
) => Promise<IntegrateResult>;

export interface NewContent {
  systemPrompt: string | null;
  records: Message[];
}

/** Absent texts are `null`. */
export interface SessionStorage {
  getSession(id: string): Promise<SessionMeta | null>;
  putSession(session: SessionMeta): Promise<void>;

  appendRecord(sessionId: string, record: Message): Promise<void>;
  listRecords(sessionId: string, options?: ListRecordsOptions): Promise<Message[]>;
  trimRecords(sessionId: string, keepRecent: number): Promise<void>;

  getSystemPrompt(sessionId: string): Promise<string | null>;
  putSystemPrompt(sessionId: string, content: string): Promise<void>;

  getInsight(sessionId: string): Promise<string | null>;
  putInsight(sessionId: string, content: string): Promise<void>;
  clearInsight(sessionId: string): Promise<void>;

  /** The L2 of a session; the synthesis of a main session. */
  getMemory(sessionId: string): Promise<string | null>;
  putMemory(sessionId: string, content: string): Promise<void>;

  transaction<T>(fn: (tx: SessionStorage) => Promise<T>): Promise<T>;

  /** An addition to Stello: the child's records begin with its parent's, uncopied. */
  forkSession?(parentId: string, child: SessionMeta, content: NewContent): Promise<void>;
}

/** Default: sending is an error, no tools, the stored system prompt alone, summaries by `llm`. */
export interface ConversationOptions<Storage extends SessionStorage = SessionStorage> {
  storage: Storage;
  llm?: LLMAdapter | undefined;
  systemPrompt?: string | undefined;
  tools?: ToolDefinition[] | undefined;
  compressFn?: CompressFn | undefined;
}

export interface MainStorage extends SessionStorage {
  /** L2s of active standard sessions that have one. */
  getAllSessionL2s(): Promise<ChildL2Summary[]>;
  listSessions(filter?: SessionFilter): Promise<SessionMeta[]>;

  putNode(node: TopologyNode): Promise<void>;
  getChildren(parentId: string): Promise<TopologyNode[]>;
  removeNode(nodeId: string): Promise<void>;

  /** `null` for an unknown key. */
  getGlobal(key: string): Promise<unknown>;
  putGlobal(key: string, value: unknown): Promise<void>;
}

export { SessionArchivedError } from "../../session";

/** The storage lacks a method that is needed. */
export class NotImplementedError extends Error {
  constructor(method: string) {
    super(`The storage has no ${method}().`);
    this.name = "NotImplementedError";
  }
}

/** A memory was written while its next version was derived. Nothing is stored. */
export class MemoryChangedError extends Error {
  constructor(sessionId: string, options?: ErrorOptions) {
    super(`The memory of session "${sessionId}" was changed meanwhile.`, options);
    this.name = "MemoryChangedError";
  }
}
