import { openEndpoint } from "@/app/api/endpoint";
import { signIn } from "@/lib/server/account-requests";

export const POST = openEndpoint("POST /api/account/sign-in", ({ services, request, body }) =>
  signIn(services, request, body),
);
