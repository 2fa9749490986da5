import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { accessTo, type SpaceAccess } from "@/lib/server/access";
import { HttpError } from "@/lib/server/http-error";
import { services } from "@/lib/server/services";

/** The person who asks for the page, read once for all its parts. `null` when nobody is signed in. */
export const identity = cache(async () => services().identify(await headers()));

/**
 * The same person in the project that the page's address names, which is not found for others and once it is deleted.
 * `null` when nobody is signed in.
 */
export const inProject = cache(async (spaceId: string): Promise<SpaceAccess | null> => {
  const asking = await identity();
  if (!asking) return null;
  try {
    return await accessTo(services(), asking, { space: spaceId, need: "reads" });
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) notFound();
    throw error;
  }
});
