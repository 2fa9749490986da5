import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelInfo, ModelRef } from "./model-info";
import type { ProviderProblem } from "./model-provider";

export type ResolvedModel = {
  readonly model: LanguageModelV4;
  readonly info: ModelInfo;
  /** Absent for one that was asked for by name. */
  readonly choice?: ModelChoice;
};

/** Why a model was chosen automatically. */
export type AutomaticRule = "first-answering" | "first-set-up" | "demo";

/** `default` is the person's own. */
export type ModelChoice = "default" | AutomaticRule;

export type ModelSource = {
  /** Returns true for providers of this source. */
  answersFor(provider: string): boolean;
  /** Never fails. */
  listModels(): Promise<ModelInfo[]>;
  /** @throws {ModelUnavailableError} when the model is unavailable. */
  resolve(ref: ModelRef): Promise<ResolvedModel>;
  /** Why the last list may be incomplete. */
  problem(): ProviderProblem | null;
  /** Entries that the last list lacks, because they could not be read. */
  leftOut(): readonly ProviderProblem[];
};

/** A source that always has its model. */
export type FallbackSource = ModelSource & { readonly info: ModelInfo };

export type ModelUnavailableCode =
  | "invalid-ref"
  | "unknown-provider"
  | "missing-key"
  | "local-server-down";

/** Thrown when a requested model is unavailable; the message says what to do. */
export class ModelUnavailableError extends Error {
  override readonly name = "ModelUnavailableError";
  readonly code: ModelUnavailableCode;
  readonly ref: string;

  constructor(code: ModelUnavailableCode, ref: string, message: string) {
    super(message);
    this.code = code;
    this.ref = ref;
  }
}
