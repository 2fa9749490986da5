import { unstable_rethrow } from "next/navigation";
import { cache } from "react";
import { identity, inProject } from "@/app/identity";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import type { OwnerServices } from "@/lib/server/owner-services";
import { services } from "@/lib/server/services";

/** The data of the space that the page's address names; `null` when nobody is signed in. */
export const pageOwner = cache(async (space: string | null): Promise<OwnerServices | null> => {
  if (space !== null) {
    const access = await inProject(space);
    return access && services().ownerOf(access);
  }
  const asking = await identity();
  return asking && services().ownerOf(inOwnSpace(asking.personId));
});

/** Ends in "not found" for others than its members. While the database is away, the browser asks again. */
export async function assertInProject(space: string): Promise<void> {
  try {
    await inProject(space);
  } catch (error) {
    unstable_rethrow(error);
  }
}
