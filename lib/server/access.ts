import { asSpace, inOwnSpace, type PersonInSpace } from "@/lib/chat/core/person-in-space";
import type { MemberProject } from "@/lib/storage/spaces/postgres-projects";
import { HttpError } from "./http-error";
import type { Identity } from "./owner-of";
import type { Services } from "./services";

/** `person` is for what no project has. */
export type Need = "reads" | "writes" | "owns" | "person";

export interface SpaceAccess extends PersonInSpace {
  /** `null` in the person's own space. */
  readonly project: MemberProject | null;
}

/** Set by the front door from the address alone. */
export const spaceHeader = "x-grove-space";

const inAddress = /^\/p\/([\w-]{1,64})(\/api(?:[/?].*)?)$/;

export function addressInSpace(target: string): { target: string; space: string | null } {
  const [, space = null, rest] = inAddress.exec(target) ?? [];
  return { target: rest ?? target, space };
}

/**
 * This function alone decides which space an address may name. A missing row refuses, and says nothing about existence.
 */
export async function accessTo(
  { projects, readySoon }: Pick<Services, "projects" | "readySoon">,
  { personId }: Pick<Identity, "personId">,
  { space, need }: { space: string; need: Need },
): Promise<SpaceAccess> {
  if (space === personId) return { ...inOwnSpace(personId), project: null };
  const who = { personId, spaceId: asSpace(space) };
  await readySoon();
  const project = need === "person" ? null : await projects.get(who);
  if (!project || project.deletedAt) throw spaceNotFound();
  if (!roles[need].includes(project.role))
    throw new HttpError(403, "not-allowed", "Your role in this project does not allow this.");
  return { ...who, project };
}

export function spaceNotFound(): HttpError {
  return new HttpError(404, "space-not-found", "There is no such project, or you are no member.");
}

const roles: Record<Need, readonly MemberProject["role"][]> = {
  reads: ["owner", "writer", "reader"],
  writes: ["owner", "writer"],
  owns: ["owner"],
  person: [],
};
