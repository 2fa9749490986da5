import { endpoint } from "@/app/api/endpoint";
import { addMember, listMembers } from "@/lib/server/members";

export const GET = endpoint("GET /api/projects/:spaceId/members", (context) =>
  listMembers(context),
);

export const POST = endpoint("POST /api/projects/:spaceId/members", (context) =>
  addMember(context, context.body),
);
