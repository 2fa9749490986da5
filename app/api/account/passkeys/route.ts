import { endpoint } from "@/app/api/endpoint";
import { addPasskey } from "@/lib/accounts/own-account";
import { accountWire, confirmedOwnOf, note } from "@/lib/server/own-account";

export const POST = endpoint("POST /api/account/passkeys", async (context) => {
  const own = confirmedOwnOf(context);
  await addPasskey(own, context.body);
  await note(own, "passkey-added");
  return accountWire(own);
});
