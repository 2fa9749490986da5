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

/** A chat's parameters, and whether its model gets the tools of the web. Absent: as the person's settings say. */
export const chatParameters = modelParameters.extend({ web: z.boolean().optional() });
export type ChatParameters = z.output<typeof chatParameters>;

export const idSchema = z
  .string()
  .min(1, "must not be empty")
  .max(200, "must be at most 200 characters");

export const modelSchema = z.string().min(1).max(200);

export type { ModelChoice } from "@/lib/llm/model-source";

export const memoryModeSchema = z.enum(["on", "ask", "off"]);

/** The end of an answer or a summary, or its pause. A question has no status. */
export type AnswerStatus = "complete" | "stopped" | "interrupted" | "failed" | "paused";
