import { adminEndpoint } from "@/app/api/endpoint";
import { ownOf } from "@/lib/server/own-account";
import { peopleWire, withdrawInvite } from "@/lib/server/people";

export const DELETE = adminEndpoint("DELETE /api/people/invites/:inviteId", async (context) => {
  const own = ownOf(context);
  await withdrawInvite(own, context.params.inviteId);
  return peopleWire(own);
});
