import { openEndpoint } from "@/app/api/endpoint";
import { signInElsewhere } from "@/lib/server/account-requests";

export const POST = openEndpoint(
  "POST /api/account/sign-in/provider",
  ({ services, request, body }) => signInElsewhere(services, request, body),
);
