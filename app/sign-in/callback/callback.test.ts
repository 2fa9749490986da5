import { expect, test } from "vitest";
import { POST as beginSignIn } from "@/app/api/tools/servers/[serverId]/sign-in/route";
import { origin, serveAccounts } from "@/app/sign-in/testing/serve-accounts";
import { openSignIn, startGuardedServer } from "@/lib/chat/mcp-client/testing/guarded-server";
import { writeServerRequest } from "@/lib/chat/wire/tools";
import { GET as callback } from "./route";

const { signedIn } = serveAccounts();

test("a tool server's sign-in comes back to the address that people open, also behind a proxy", {
  tags: "long",
}, async () => {
  const { server } = await startGuardedServer();
  const { cookie, owner } = await signedIn();
  const { toolServers } = owner;
  await toolServers.write("s1", writeServerRequest.parse({ name: "Station", url: server.url }));
  // As a proxy on this machine passes it on.
  const headers = { cookie, host: "grove.test", origin, "content-type": "application/json" };
  const begun = await beginSignIn(
    new Request("http://127.0.0.1:3000/api/tools/servers/s1/sign-in", {
      method: "POST",
      headers,
      body: "{}",
    }),
    { params: Promise.resolve({ serverId: "s1" }) },
  );
  const { page } = (await begun.json()) as { page: string | null };
  const back = await openSignIn(page);
  expect(`${back.origin}${back.pathname}`).toBe(`${origin}/sign-in/callback`);
  const ended = await callback(
    new Request(`http://127.0.0.1:3000${back.pathname}${back.search}`, {
      headers: { cookie, host: "grove.test" },
    }),
    { params: Promise.resolve({}) },
  );
  expect(ended.headers.get("location")).toBe(`${origin}/settings?section=tools`);
  expect((await toolServers.view()).servers[0]).toMatchObject({ signIn: "done", problem: null });
});
