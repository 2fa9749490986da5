import { endpoint } from "@/app/api/endpoint";
import { accountWire, confirmedOwnOf, note } from "@/lib/server/own-account";

export const DELETE = endpoint("DELETE /api/account/passkeys/:passkeyId", async (context) => {
  const own = confirmedOwnOf(context);
  const { store } = own.accounts;
  if (await store.deletePasskey(own.person.userId, context.params.passkeyId))
    await note(own, "passkey-removed");
  return accountWire(own);
});
