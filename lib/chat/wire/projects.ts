import { z } from "zod";
import { modelSchema } from "./request-fields";

const projectName = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(80, "must be at most 80 characters");

const iconNames = [
  ...["sprout", "book-open", "pen-line", "microscope", "calculator", "wrench"],
  ...["palette", "music", "house", "compass", "volleyball", "briefcase"],
] as const;
export type ProjectIconName = (typeof iconNames)[number];

const drawnIcon = z.enum(iconNames, "must be the name of an icon, or one emoji");
const projectIcon = drawnIcon.or(
  z
    .string()
    .max(32)
    .regex(/^\p{RGI_Emoji}$/v),
);

export const projectId = z
  .string()
  .regex(/^p-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, "must be “p-” and a UUID");

export const makeProjectRequest = z.object({
  id: projectId,
  name: projectName,
});

export const changeProjectRequest = z.object({
  name: projectName.optional(),
  icon: projectIcon.nullable().optional(),
  /** `null`: the person's. */
  defaultModel: modelSchema.nullable().optional(),
  /** The key of an assistant of the project. */
  defaultAssistant: z.string().min(1).max(200).nullable().optional(),
  personalMemory: z.boolean().optional(),
});

export interface ProjectWire {
  id: string;
  name: string;
  icon: string | null;
  role: "owner" | "writer" | "reader";
  /** Other members. */
  others: number;
  isOnlyOwner: boolean;
  createdAt: string;
  defaultModel: string | null;
  defaultAssistant: string | null;
  personalMemory: boolean;
  deletedAt?: string;
  goneAt?: string;
}

export interface ProjectsWire {
  projects: ProjectWire[];
  /** Without accounts nobody can be a member. */
  hasAccounts: boolean;
}
