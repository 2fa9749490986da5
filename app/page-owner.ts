import { unstable_rethrow } from "next/navigation";
import { cache } from "react";
import { identity, inProject } from "@/app/identity";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";
import type { OwnerServices } from "@/lib/server/owner-services";
import { services } from "@/lib/server/services";

/** `null` when nobody is signed in. */
export const pageOwner = cache(async (space: string | null): Promise<OwnerServices | null> => {
  if (space !== null) {
    const access = await inProject(space);
    return access && services().ownerOf(access);
  }
  const asking = await identity();
  return asking && services().ownerOf(inOwnSpace(asking.personId));
});

/** Others than members get "not found". The browser asks again while the database is away. */
export async function assertInProject(space: string): Promise<void> {
  try {
    await inProject(space);
  } catch (error) {
    unstable_rethrow(error);
  }
}
