import { z } from "zod";
import { modelSchema } from "./request-fields";

const projectName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(80, "must be at most 80 characters");

export const projectId = z
  .string()
  .regex(/^p-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, "must be “p-” and a UUID");

export const makeProjectRequest = z.object({
  id: projectId,
  name: projectName,
});

export const changeProjectRequest = z.object({
  name: projectName.optional(),
  /** `null`: the person's. */
  defaultModel: modelSchema.nullable().optional(),
  personalMemory: z.boolean().optional(),
});

export interface ProjectWire {
  id: string;
  name: string;
  createdAt: string;
  defaultModel: string | null;
  personalMemory: boolean;
  deletedAt?: string;
  goneAt?: string;
}

export interface ProjectsWire {
  projects: ProjectWire[];
}
