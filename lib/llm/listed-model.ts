import type { ModelCapabilities, ModelPrice } from "./model-info";

/** What a server says of a model in its list; absent where it says nothing. */
export type ListedModel = {
  readonly id: string;
  readonly label?: string | undefined;
  readonly contextWindow?: number | undefined;
  readonly maxOutput?: number | undefined;
  readonly price?: ModelPrice | undefined;
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
};
