import { endpoint } from "@/app/api/endpoint";
import { changePassword } from "@/lib/accounts/own-account";
import { limitOwnAttempts, withCookies } from "@/lib/server/account-requests";
import { note, ownOf } from "@/lib/server/own-account";

export const PUT = endpoint("PUT /api/account/password", async (context) => {
  const own = ownOf(context);
  limitOwnAttempts(own.person.sessionId);
  const { sessionId, userId } = own.person;
  const others = await own.accounts.store.sessionsOf(userId);
  const cookies = await changePassword(own, context.body);
  context.services.devices.end(others.map(({ id }) => id).filter((id) => id !== sessionId));
  await note(own, "password-changed");
  return withCookies({ ok: true }, cookies);
});
