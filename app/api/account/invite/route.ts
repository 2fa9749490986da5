import { openEndpoint } from "@/app/api/endpoint";
import { readInvite } from "@/lib/server/account-requests";

export const POST = openEndpoint("POST /api/account/invite", ({ services, request, body }) =>
  readInvite(services, request, body.secret),
);
