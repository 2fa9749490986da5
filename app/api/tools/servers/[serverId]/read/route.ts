import { endpoint } from "@/app/api/endpoint";

export const POST = endpoint("POST /api/tools/servers/:serverId/read", ({ owner, params }) =>
  owner.toolServers.read(params.serverId),
);
