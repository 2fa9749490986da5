import { openEndpoint } from "@/app/api/endpoint";
import { passkeySignInOptions } from "@/lib/accounts/own-account";
import { accountsOf, limitAttempts, withCookies } from "@/lib/server/account-requests";

export const POST = openEndpoint(
  "POST /api/account/sign-in/passkey/options",
  async ({ services, request }) => {
    const accounts = accountsOf(services);
    limitAttempts(request, null);
    const { options, cookies } = await passkeySignInOptions({ accounts, headers: request.headers });
    return withCookies({ options }, cookies);
  },
);
