import { openEndpoint } from "@/app/api/endpoint";
import { inOwnSpace } from "@/lib/chat/core/person-in-space";

export const GET = openEndpoint("GET /api/health", async ({ services, request }) => {
  await services.readySoon();
  if (!services.accounts) {
    const identity = await services.identify(request.headers);
    if (identity) await services.ownerOf(inOwnSpace(identity.personId));
  }
  await services.sql`select 1`;
  return { ok: true };
});
