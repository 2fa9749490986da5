import { endpoint } from "@/app/api/endpoint";
import { invite } from "@/lib/server/members";

export const POST = endpoint("POST /api/projects/:spaceId/invitations", (context) =>
  invite(context, context.body.role, context.making.id),
);
