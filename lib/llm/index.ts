export { demoModelInfo } from "@/lib/demo/demo-info";
export { createDemoModel } from "@/lib/demo/demo-model";
export { providerIds } from "./configured-providers";
export { costOf } from "./cost";
export { describeFinishReason } from "./describe-finish-reason";
export { describeModelError, type ModelErrorDescription } from "./describe-model-error";
export { discoverLocalModels, type LocalModels } from "./discover-local-models";
export type { Environment } from "./environment-providers";
export { generateTitle } from "./generate-title";
export { type CallPurpose, groveOptions } from "./grove-options";
export type { ModelErrorCode } from "./model-error-code";
export type { ModelCapabilities, ModelInfo, ModelPrice } from "./model-info";
export type { ProviderProblem } from "./model-provider";
export { formatModelRef, type ModelRef, parseModelRef } from "./model-ref";
export {
  createModelRegistry,
  type ModelRegistry,
  type ModelRegistryOptions,
} from "./model-registry";
export type { ResolvedModel } from "./model-source";
export { type ModelUnavailableCode, ModelUnavailableError } from "./model-unavailable-error";
export {
  type ModelOverride,
  type ModelSettings,
  modelOverrideSchema,
  modelSettingsSchema,
  type ProviderSettings,
  providerSettingsSchema,
} from "./provider-settings";
export { createSummarizer, type Summarize, type TextCall } from "./summarizer";
export { SummaryError, type SummaryErrorCode } from "./summary-error";
export { titleFromQuestion } from "./title-from-question";
