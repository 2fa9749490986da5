import { endpoint } from "@/app/api/endpoint";
import { passkeyOptions } from "@/lib/accounts/own-account";
import { withCookies } from "@/lib/server/account-requests";
import { confirmedOwnOf } from "@/lib/server/own-account";

export const POST = endpoint("POST /api/account/passkeys/options", async (context) => {
  const { options, cookies } = await passkeyOptions(confirmedOwnOf(context));
  return withCookies({ options }, cookies);
});
