import type { ModelRegistry } from "@/lib/llm";
import { scopesOf } from "./keys";
import type { Program } from "./program";
import type { JsonRecord } from "./response-writer";

/** The models a key may use. */
export async function listModels(
  { key }: Pick<Program, "key">,
  registry: ModelRegistry,
): Promise<JsonRecord[]> {
  const { models } = scopesOf(key);
  return (await registry.listModels())
    .filter(({ ref }) => !models || models.includes(ref))
    .map(({ ref, provider }) => ({ id: ref, object: "model", created: 0, owned_by: provider }));
}
