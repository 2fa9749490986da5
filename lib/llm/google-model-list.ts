import { z } from "zod";
import type { ListedModel } from "./listed-model";

const tokens = z.number().int().positive().optional().catch(undefined);

const listSchema = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      displayName: z.string().optional(),
      inputTokenLimit: tokens,
      outputTokenLimit: tokens,
      supportedGenerationMethods: z.array(z.string()).default([]),
    }),
  ),
});

// Models that generate content, but no conversation in text.
const otherPurposes = /image|tts|audio|robotics|computer-use|nano-banana|live/;

/** Reads the answer of Google's `GET /v1beta/models`, leaving out models that cannot chat. */
export const googleModelListSchema = listSchema.transform(({ models }): ListedModel[] =>
  models
    .filter(
      ({ name, supportedGenerationMethods }) =>
        supportedGenerationMethods.includes("generateContent") && !otherPurposes.test(name),
    )
    .map((model) => ({
      id: model.name.replace(/^models\//, ""),
      label: model.displayName,
      contextWindow: model.inputTokenLimit,
      maxOutput: model.outputTokenLimit,
    })),
);
