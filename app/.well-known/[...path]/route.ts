import "@/lib/server/services";

import { noSuchDoor } from "@/lib/server/no-such-door";
import { openRoute } from "@/lib/server/route";

export const GET = openRoute<{ path: string[] }>(({ services, params }) => {
  const apps = services.accounts?.apps;
  const path = params.path.join("/");
  if (apps && /^oauth-protected-resource(\/mcp)?$/.test(path))
    return Response.json(apps.resourceMetadata);
  if (apps && path === "oauth-authorization-server") return Response.json(apps.serverMetadata);
  return noSuchDoor("/.well-known/oauth-") ?? new Response(null, { status: 404 });
});
