import { adminEndpoint } from "@/app/api/endpoint";
import { ownOf } from "@/lib/server/own-account";
import { changeLimits, changePolicy, peopleWire } from "@/lib/server/people";

export const GET = adminEndpoint("GET /api/people", (context) => peopleWire(ownOf(context)));

export const PATCH = adminEndpoint("PATCH /api/people", async (context) => {
  const own = ownOf(context);
  const { environmentKeys, limits } = context.body;
  if (environmentKeys) await changePolicy(own, environmentKeys);
  if (limits !== undefined) await changeLimits(own, null, limits);
  return peopleWire(own);
});
