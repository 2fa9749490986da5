import { openEndpoint } from "@/app/api/endpoint";

export const GET = openEndpoint("GET /api/health", async ({ services, request }) => {
  await services.readySoon();
  if (!services.accounts) {
    const identity = await services.identify(request.headers);
    if (identity) await services.ownerOf(identity);
  }
  await services.sql`select 1`;
  return { ok: true };
});
