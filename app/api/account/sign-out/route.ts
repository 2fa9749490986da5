import { openEndpoint } from "@/app/api/endpoint";
import { signOut } from "@/lib/server/account-requests";

export const POST = openEndpoint("POST /api/account/sign-out", ({ services, request }) =>
  signOut(services, request),
);
