import type { ModelCapabilities, ModelPrice } from "./model-info";

/** Absent fields are unknown. */
export type ListedModel = {
  readonly id: string;
  readonly label?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: ModelPrice | undefined;
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  /** Names of those it takes. */
  readonly parameters?: readonly string[] | undefined;
  /** As its server says; local servers name themselves. */
  readonly ownedBy?: string | undefined;
};

export interface ListedModels {
  readonly models: readonly ListedModel[];
  /** Entries of the list that are no models, or beyond the most that are listed. */
  readonly leftOut: number;
}
