export { AnswerLimiter, type AnswerLimits } from "./answer-limiter";
export { providerIds, providerLabel } from "./configured-providers";
export {
  describeFinishReason,
  describeModelError,
  type ModelErrorDescription,
  type ReachedLimit,
} from "./describe-model-error";
export { generateTitle, titleFromQuestion } from "./generate-title";
export { type CallPurpose, groveOptions } from "./grove-options";
export { discoverLocalModels, type LocalModels } from "./local-source";
export type { ModelErrorCode } from "./model-error-code";
export {
  costOf,
  formatModelRef,
  type ModelCapabilities,
  type ModelInfo,
  type ModelPrice,
  type ModelRef,
  parseModelRef,
} from "./model-info";
export type { ProviderProblem } from "./model-provider";
export {
  createModelRegistry,
  type ModelRegistry,
  type ModelRegistryOptions,
} from "./model-registry";
export {
  type FallbackSource,
  type ModelUnavailableCode,
  ModelUnavailableError,
  type ResolvedModel,
} from "./model-source";
export { type ProviderKind, providerKindSchema } from "./provider-kinds";
export {
  type Environment,
  environmentProviders,
  type ModelOverride,
  modelOverrideSchema,
  type ProviderSettings,
  providerSettingsSchema,
  type StoredModelSettings,
} from "./provider-settings";
export {
  createSummarizer,
  type Summarize,
  SummaryError,
  type SummaryErrorCode,
} from "./summarizer";
export type { TextCall } from "./text-call";
