import { endpoint } from "@/app/api/endpoint";

export const GET = endpoint("GET /api/tools", ({ owner }) => owner.toolServers.view());

export const PATCH = endpoint("PATCH /api/tools", async ({ owner, body }) => {
  await owner.tools.choose(body.policies);
  return owner.toolServers.view();
});
