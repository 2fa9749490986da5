import { openEndpoint } from "@/app/api/endpoint";
import { signInWithCode } from "@/lib/server/account-requests";

export const POST = openEndpoint("POST /api/account/sign-in/code", ({ services, request, body }) =>
  signInWithCode(services, request, body),
);
