import { endpoint } from "@/app/api/endpoint";
import { accountWire, confirmedOwnOf, note } from "@/lib/server/own-account";

export const DELETE = endpoint("DELETE /api/account/logins/:loginId", async (context) => {
  const own = confirmedOwnOf(context);
  const { store } = own.accounts;
  if (await store.deleteLogin(own.person.userId, context.params.loginId))
    await note(own, "login-removed");
  return accountWire(own);
});
