import { adminEndpoint } from "@/app/api/endpoint";
import { ownOf } from "@/lib/server/own-account";
import { signOutPerson } from "@/lib/server/people";

export const POST = adminEndpoint("POST /api/people/:personId/sign-out", async (context) => {
  await signOutPerson(context.services, ownOf(context), context.params.personId);
  return { ok: true };
});
