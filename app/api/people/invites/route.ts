import { adminEndpoint } from "@/app/api/endpoint";
import { ownOf } from "@/lib/server/own-account";
import { inviteSomebody } from "@/lib/server/people";

export const POST = adminEndpoint("POST /api/people/invites", (context) =>
  inviteSomebody(ownOf(context), context.body, context.making.id),
);
