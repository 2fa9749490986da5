import "@/lib/server/services";

import { returnFromProvider } from "@/lib/server/account-requests";
import { openRoute } from "@/lib/server/route";

/** A sign-in server leads here; other sites may not open `/api`. */
export const GET = openRoute<{ provider: string }>(({ services, request }) =>
  returnFromProvider(services, request),
);
