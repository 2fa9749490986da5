import { openEndpoint } from "@/app/api/endpoint";
import { acceptInvite } from "@/lib/server/account-requests";

export const POST = openEndpoint("POST /api/account/accept", ({ services, request, body }) =>
  acceptInvite(services, request, body),
);
