import { endpoint } from "@/app/api/endpoint";
import { beginTwoFactor, endTwoFactor } from "@/lib/accounts/own-account";
import { limitOwnAttempts, withCookies } from "@/lib/server/account-requests";
import { assertConfirmedWithoutPassword, note, ownOf } from "@/lib/server/own-account";

export const POST = endpoint("POST /api/account/two-factor", async (context) => {
  const own = ownOf(context);
  limitOwnAttempts(own.person.sessionId);
  await assertConfirmedWithoutPassword(own);
  return beginTwoFactor(own, context.body.password);
});

export const DELETE = endpoint("DELETE /api/account/two-factor", async (context) => {
  const own = ownOf(context);
  limitOwnAttempts(own.person.sessionId);
  await assertConfirmedWithoutPassword(own);
  const cookies = await endTwoFactor(own, context.body.password);
  await note(own, "two-factor-off");
  return withCookies({ ok: true }, cookies);
});
