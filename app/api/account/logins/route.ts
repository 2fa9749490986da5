import { endpoint } from "@/app/api/endpoint";
import { beginJoining } from "@/lib/accounts/own-account";
import { withCookies } from "@/lib/server/account-requests";
import { confirmedOwnOf } from "@/lib/server/own-account";

export const POST = endpoint("POST /api/account/logins", async (context) => {
  const { page, cookies } = await beginJoining(confirmedOwnOf(context), context.body.provider);
  return withCookies({ page }, cookies);
});
