import "@/lib/server/services";

import { accountsOf, limitAttempts } from "@/lib/server/account-requests";
import { openRoute } from "@/lib/server/route";

/** The proxy sends those who are signed out to the sign-in page and back. */
export const GET = openRoute(({ services, request, query }) => {
  limitAttempts(request, null);
  return accountsOf(services).apps.authorize(query, request.headers);
});
