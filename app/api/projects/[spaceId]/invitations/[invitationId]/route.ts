import { endpoint } from "@/app/api/endpoint";
import { stopInvitation } from "@/lib/server/members";

export const DELETE = endpoint(
  "DELETE /api/projects/:spaceId/invitations/:invitationId",
  (context) => stopInvitation(context, context.params.invitationId),
);
