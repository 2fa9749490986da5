import type { Environment } from "@/lib/llm/environment-providers";
import type { ModelSource } from "@/lib/llm/model-source";
import { demoModelInfo } from "./demo-info";
import { createDemoModel } from "./demo-model";

/** The scripted demo model, which is always there. `GROVE_DEMO_DELAY_MS` is its pause after each word. */
export function demoSource(environment: Environment): ModelSource {
  const delay = Number(environment.GROVE_DEMO_DELAY_MS?.trim() || Number.NaN);
  const model = createDemoModel(delay >= 0 ? { delayMs: delay } : {});
  return {
    answersFor: (provider) => provider === demoModelInfo.provider,
    listModels: async () => [demoModelInfo],
    resolve: async () => ({ model, info: demoModelInfo }),
    problem: () => null,
  };
}
