export { AnswerLimiter, type AnswerLimits } from "./answer-limiter";
export { askWithout } from "./ask-without";
export { pricesReadOn } from "./catalogue";
export { providerIds, providerLabel } from "./configured-providers";
export {
  describeFinishReason,
  describeModelError,
  type ModelErrorDescription,
  type ReachedLimit,
  redactSecrets,
} from "./describe-model-error";
export { DirectText } from "./direct-text";
export { type Feature, type FeatureRefusal, features } from "./features";
export { generateTitle, titleFromQuestion } from "./generate-title";
export { groveOptions } from "./grove-options";
export { deltaJoining } from "./join-deltas";
export { secretHiding } from "./known-secrets";
export type { ModelErrorCode } from "./model-error-code";
export {
  costOf,
  type ModelInfo,
  type ModelPrice,
  priceWith,
} from "./model-info";
export type { ModelParameters } from "./model-parameters";
export type { ProviderProblem } from "./model-provider";
export {
  createModelRegistry,
  type ModelRegistry,
} from "./model-registry";
export {
  type FallbackSource,
  type ModelChoice,
  ModelUnavailableError,
  type ResolvedEmbeddings,
  type ResolvedModel,
} from "./model-source";
export { type OllamaServer, pullModel } from "./ollama";
export { parameterSettings } from "./parameter-range";
export { plainCallErrors } from "./plain-call-errors";
export { type ProgramSetting, programOptions, settingDropped } from "./program-options";
export { type ProviderKind, providerKindSchema } from "./provider-kinds";
export {
  type Environment,
  environmentProviders,
  type ModelOverrides,
  type ProviderSettings,
  type StoredModelSettings,
} from "./provider-settings";
export { countIn, reportedUsage } from "./reported-usage";
export {
  createSummarizer,
  SummaryError,
} from "./summarizer";
export type { TextCall } from "./text-call";
export { webSearchTool } from "./web-search";
export { partRepairing } from "./well-formed-parts";
