import { NextRequest } from "next/server";
import { expect, test } from "vitest";
import { proxy } from "@/proxy";

const address = "http://127.0.0.1:3000";

test.each([
  "/v1",
  "/mcp/sse",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/openid-configuration",
  "/register",
  "/p/p-1/v1/responses",
  "/p/p-1/mcp",
])("a program that looks for a sign-in at %s reads where keys are made", async (path) => {
  const headers = { host: new URL(address).host };
  const response = await proxy(new NextRequest(`${address}${path}`, { headers }));
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(await response.json()).toMatchObject({
    error: { message: expect.stringContaining("Make a key in Settings, API keys") },
  });
});

test("a foreign page learns nothing there", async () => {
  const headers = { host: "evil.test", origin: "https://evil.test" };
  const response = await proxy(new NextRequest(`${address}/v1`, { headers }));
  expect(await response.text()).not.toContain("Settings");
});
