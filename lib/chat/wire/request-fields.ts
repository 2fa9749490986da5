import { z } from "zod";
import { modelParameters } from "@/lib/llm/model-parameters";

export {
  type Caching,
  type ModelParameters,
  modelParameters,
  type ParameterName,
  type ParameterRange,
  type ReasoningEffort,
} from "@/lib/llm/model-parameters";

/** The person's settings count where these are absent. */
export const chatParameters = modelParameters.extend({ web: z.boolean().optional() });
export type ChatParameters = z.output<typeof chatParameters>;

export const idSchema = z
  .string()
  .min(1, "must not be empty")
  .max(200, "must be at most 200 characters");

export const modelSchema = z.string().min(1).max(200);

export type { ModelChoice } from "@/lib/llm/model-source";

export const memoryModeSchema = z.enum(["on", "ask", "off"]);

/** A question has no status. */
export type AnswerStatus = "complete" | "stopped" | "interrupted" | "failed" | "paused";
