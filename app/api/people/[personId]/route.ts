import { adminEndpoint } from "@/app/api/endpoint";
import { ownOf } from "@/lib/server/own-account";
import {
  changeLimits,
  changeRole,
  peopleWire,
  removePerson,
  restorePerson,
} from "@/lib/server/people";

export const PATCH = adminEndpoint("PATCH /api/people/:personId", async (context) => {
  const own = ownOf(context);
  const { params, body } = context;
  if (body.role) await changeRole(own, params.personId, body.role);
  if (body.isRestored) await restorePerson(own, params.personId);
  if (body.limits !== undefined) await changeLimits(own, params.personId, body.limits);
  return peopleWire(own);
});

export const DELETE = adminEndpoint("DELETE /api/people/:personId", async (context) => {
  const own = ownOf(context);
  await removePerson(context.services, own, context.params.personId);
  return peopleWire(own);
});
