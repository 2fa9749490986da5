import type { Sql } from "grove-session/postgres";
import { asSpace, inOwnSpace, type PersonInSpace } from "@/lib/chat/core/person-in-space";
import { roleIn, type SpaceRole } from "@/lib/storage/spaces/space-members";
import { HttpError } from "./http-error";
import type { Identity } from "./owner-of";

export interface Access extends PersonInSpace {
  readonly role: SpaceRole;
}

/** Set by the front door from the address alone. */
export const spaceHeader = "x-grove-space";

const inAddress = /^\/p\/([\w-]{1,64})(\/(?:api|v1|mcp)(?:[/?].*)?)$/;

/** The address as Next and the handlers know it, and the space that it named. */
export function addressInSpace(target: string): { target: string; space: string | null } {
  const [, space = null, rest] = inAddress.exec(target) ?? [];
  return { target: rest ?? target, space };
}

/**
 * The one place that decides which space a request is in. Nothing named, or the person's id, is their own one, without a
 * statement; a missing row refuses, and says nothing about existence.
 */
export async function accessTo(
  sql: Sql,
  { personId }: Pick<Identity, "personId">,
  space: string | null,
): Promise<Access> {
  if (space === null || space === personId) return { ...inOwnSpace(personId), role: "owner" };
  const who = { personId, spaceId: asSpace(space) };
  const role = await roleIn(sql, who);
  if (role) return { ...who, role };
  throw new HttpError(404, "space-not-found", "There is no such project, or you are no member.");
}
