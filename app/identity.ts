import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { cache } from "react";
import { accessTo, type SpaceAccess } from "@/lib/server/access";
import { HttpError } from "@/lib/server/http-error";
import { services } from "@/lib/server/services";

/** `null` when nobody is signed in. */
export const identity = cache(async () => services().identify(await headers()));

/** A deleted project, or one of others, is not found. `null` when nobody is signed in. */
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
