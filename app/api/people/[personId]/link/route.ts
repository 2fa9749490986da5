import { adminEndpoint } from "@/app/api/endpoint";
import { confirmedOwnOf } from "@/lib/server/own-account";
import { passwordLink } from "@/lib/server/people";

export const POST = adminEndpoint("POST /api/people/:personId/link", (context) =>
  passwordLink(confirmedOwnOf(context), context.params.personId, context.making.id),
);
