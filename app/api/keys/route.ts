import { endpoint } from "@/app/api/endpoint";
import { assertConfirmed } from "@/lib/accounts/confirmation";
import { createKey, listKeys } from "@/lib/chat/programs/keys";
import { accessTo } from "@/lib/server/access";

export const GET = endpoint("GET /api/keys", async ({ owner }) => ({
  keys: await listKeys(owner),
}));

export const POST = endpoint("POST /api/keys", async ({ owner, body, making, ...asked }) => {
  const { identity, services } = asked;
  if (identity.person) assertConfirmed(identity.person);
  if (body.space) await accessTo(services, identity, { space: body.space, need: "reads" });
  return createKey(owner, body, making.id);
});
