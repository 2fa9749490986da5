import { endpoint } from "@/app/api/endpoint";

export const GET = endpoint("GET /api/health", async ({ services }) => {
  await services.sql`select 1`;
  return { ok: true };
});
