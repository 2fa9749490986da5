import { endpoint } from "@/app/api/endpoint";
import { originOf } from "@/lib/server/route";

export const POST = endpoint(
  "POST /api/tools/servers/:serverId/sign-in",
  ({ owner, params, request }) =>
    owner.toolServers.beginSignIn(params.serverId, `${originOf(request)}/sign-in/callback`),
);
