import { endpoint } from "@/app/api/endpoint";
import { toolsView } from "@/lib/chat/tools/owner-tools";

export const GET = endpoint("GET /api/tools", ({ owner }) => toolsView(owner.tools));

export const PATCH = endpoint("PATCH /api/tools", async ({ owner, body }) => {
  await owner.tools.choose(body.policies);
  return toolsView(owner.tools);
});
