import { z } from "zod";

export interface PromptWire {
  id: string;
  name: string;
  text: string;
}

export interface PromptsWire {
  prompts: PromptWire[];
}

export const promptName = z
  .string()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N}-]{0,39}$/u, "must be up to 40 letters, digits and hyphens");

export const writePromptRequest = z.object({
  name: promptName,
  text: z.string().trim().min(1, "must not be empty").max(4_000),
});
