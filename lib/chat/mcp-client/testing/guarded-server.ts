import { onTestFinished } from "vitest";
import { type AuthorizationServer, startAuthorizationServer } from "./authorization-server";
import { startToolServer, type ToolServer } from "./tool-server";

export async function startGuardedServer(): Promise<{
  server: ToolServer;
  authorization: AuthorizationServer;
}> {
  const authorization = await startAuthorizationServer();
  const server = await startToolServer({
    refuse: (request) => {
      const { origin, pathname } = new URL(request.url);
      if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
        const resource = `${origin}/mcp`;
        return Response.json({ resource, authorization_servers: [authorization.url] });
      }
      const token = request.headers.get("authorization")?.slice("Bearer ".length) ?? "";
      if (authorization.tokens.has(token)) return null;
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      return new Response(null, {
        status: 401,
        headers: { "www-authenticate": `Bearer resource_metadata="${metadata}"` },
      });
    },
  });
  onTestFinished(async () => {
    await Promise.all([server.close(), authorization.close()]);
  });
  return { server, authorization };
}

/** @returns the address that the authorization page leads back to. */
export async function openSignIn(page: string | null): Promise<URL> {
  if (page === null) throw new Error("No sign-in was needed.");
  const response = await fetch(page, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "");
}
