export { AnswerLimiter, type AnswerLimits } from "./answer-limiter";
export { providerIds, providerLabel } from "./configured-providers";
export {
  describeFinishReason,
  describeModelError,
  type ModelErrorDescription,
  type ReachedLimit,
  redactSecrets,
} from "./describe-model-error";
export { generateTitle, titleFromQuestion } from "./generate-title";
export { groveOptions } from "./grove-options";
export { deltaJoining } from "./join-deltas";
export {
  costOf,
  type ModelInfo,
  type ModelPrice,
} from "./model-info";
export {
  createModelRegistry,
  type ModelRegistry,
} from "./model-registry";
export {
  type FallbackSource,
  ModelUnavailableError,
  type ResolvedModel,
} from "./model-source";
export { type ProviderKind, providerKindSchema } from "./provider-kinds";
export {
  type Environment,
  environmentProviders,
  type ProviderSettings,
  type StoredModelSettings,
} from "./provider-settings";
export {
  createSummarizer,
  SummaryError,
} from "./summarizer";
export type { TextCall } from "./text-call";
export { webSearchTool } from "./web-search";
