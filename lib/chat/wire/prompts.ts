import { z } from "zod";

/** A text of the person's own, put into the composer by `/name`; `{{field}}` is filled in there. */
export interface PromptWire {
  id: string;
  name: string;
  text: string;
}

/** `GET /api/prompts`, by name. */
export interface PromptsWire {
  prompts: PromptWire[];
}

/** Letters, digits and hyphens, as it is typed after a slash. */
export const promptName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}-]{0,39}$/u, "must be up to 40 letters, digits and hyphens");

/** `PUT /api/prompts/:id` → `PromptsWire`. */
export const writePromptRequest = z.object({
  name: promptName,
  text: z.string().trim().min(1, "must not be empty").max(4_000),
});
