import { endpoint } from "@/app/api/endpoint";
import { assertConfirmed } from "@/lib/accounts/confirmation";
import { createKey, listKeys } from "@/lib/chat/programs/keys";

export const GET = endpoint("GET /api/keys", async ({ owner }) => ({
  keys: await listKeys(owner),
}));

export const POST = endpoint("POST /api/keys", ({ owner, body, identity, making }) => {
  if (identity.person) assertConfirmed(identity.person);
  return createKey(owner, body, making.id);
});
