import { endpoint } from "@/app/api/endpoint";
import { assertMayReach } from "@/lib/server/reachable-address";

export const PUT = endpoint("PUT /api/tools/servers/:serverId", async (context) => {
  const { owner, params, body, identity } = context;
  await assertMayReach(identity, body.url);
  return owner.toolServers.write(params.serverId, body);
});

export const DELETE = endpoint("DELETE /api/tools/servers/:serverId", ({ owner, params }) =>
  owner.toolServers.remove(params.serverId),
);
