import { openEndpoint } from "@/app/api/endpoint";
import { signInByPasskey } from "@/lib/server/account-requests";

export const POST = openEndpoint(
  "POST /api/account/sign-in/passkey",
  ({ services, request, body }) => signInByPasskey(services, request, body.answer),
);
