import "@/lib/server/services";

import { returnFromProvider } from "@/lib/server/account-requests";
import { openRoute } from "@/lib/server/route";

/** Receives the browser back from a sign-in server; not under `/api`, which other sites may not open. */
export const GET = openRoute<{ provider: string }>(({ services, request }) =>
  returnFromProvider(services, request),
);
