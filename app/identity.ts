import { headers } from "next/headers";
import { cache } from "react";
import { services } from "@/lib/server/services";

/** The person who asks for the page, read once for all its parts. `null` when nobody is signed in. */
export const identity = cache(async () => services().identify(await headers()));
