export { GroveStorage, InMemoryStorageAdapter } from "./grove-storage";
export {
  type CreateMainSessionOptions,
  createMainSession,
  type LoadMainSessionOptions,
  loadMainSession,
  type MainSession,
} from "./main-session";
export { createModelAdapter, type ModelAdapterOptions } from "./model-adapter";
export type { CreateSessionOptions } from "./new-session";
export {
  type AnthropicAdapterOptions,
  type ClaudeModel,
  type ClaudeOptions,
  createAnthropicAdapter,
  createClaude,
  createGPT,
  createOpenAICompatibleAdapter,
  type GPTModel,
  type GPTOptions,
  type OpenAICompatibleOptions,
  type ProviderOptions,
} from "./providers";
export { createSession, type LoadSessionOptions, loadSession, type Session } from "./session";
export {
  type CallToolResult,
  createSessionTool,
  type Tool,
  type ToolAnnotations,
  tool,
} from "./tool";
export {
  type ChildL2Summary,
  type CompressFn,
  type ConsolidateFn,
  type ConversationOptions,
  type ForkContextFn,
  type ForkOptions,
  type IntegrateFn,
  type IntegrateResult,
  type ListRecordsOptions,
  type LLMAdapter,
  type LLMChunk,
  type LLMCompleteOptions,
  type LLMResult,
  type MainStorage,
  MemoryChangedError,
  type Message,
  type MessageQueryOptions,
  type NewContent,
  NotImplementedError,
  type SendOptions,
  type SendResult,
  SessionArchivedError,
  type SessionFilter,
  type SessionMeta,
  type SessionMetaUpdate,
  type SessionStorage,
  type StreamResult,
  type TokenUsage,
  type ToolCall,
  type ToolDefinition,
  type TopologyNode,
} from "./types";
