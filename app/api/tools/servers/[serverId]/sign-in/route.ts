import { endpoint } from "@/app/api/endpoint";

export const POST = endpoint(
  "POST /api/tools/servers/:serverId/sign-in",
  ({ owner, params, request }) => {
    const host = request.headers.get("host") ?? "";
    return owner.toolServers.beginSignIn(params.serverId, `http://${host}/sign-in/callback`);
  },
);
