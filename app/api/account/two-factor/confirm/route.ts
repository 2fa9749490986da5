import { endpoint } from "@/app/api/endpoint";
import { confirmTwoFactor } from "@/lib/accounts/own-account";
import { limitOwnAttempts, withCookies } from "@/lib/server/account-requests";
import { note, ownOf } from "@/lib/server/own-account";

export const POST = endpoint("POST /api/account/two-factor/confirm", async (context) => {
  const own = ownOf(context);
  limitOwnAttempts(own.person.sessionId);
  const cookies = await confirmTwoFactor(own, context.body.code);
  await note(own, "two-factor-on");
  return withCookies({ ok: true }, cookies);
});
