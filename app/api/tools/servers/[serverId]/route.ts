import { endpoint } from "@/app/api/endpoint";

export const PUT = endpoint("PUT /api/tools/servers/:serverId", ({ owner, params, body }) =>
  owner.toolServers.write(params.serverId, body),
);

export const DELETE = endpoint("DELETE /api/tools/servers/:serverId", ({ owner, params }) =>
  owner.toolServers.remove(params.serverId),
);
