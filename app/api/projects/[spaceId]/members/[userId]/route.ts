import { endpoint } from "@/app/api/endpoint";
import { changeMember, removeMember } from "@/lib/server/members";

export const PATCH = endpoint("PATCH /api/projects/:spaceId/members/:userId", (context) =>
  changeMember(context, context.params.userId, context.body.role),
);

export const DELETE = endpoint("DELETE /api/projects/:spaceId/members/:userId", async (context) => {
  await removeMember(context, context.params.userId);
  return { ok: true };
});
