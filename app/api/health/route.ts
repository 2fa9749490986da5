import { route } from "@/lib/server/route";

export const GET = route(async ({ services }) => {
  await services.sql`select 1`;
  return Response.json({ ok: true });
});
