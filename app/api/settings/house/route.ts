import { adminEndpoint } from "@/app/api/endpoint";
import { changeHouse } from "@/lib/server/people";

export const GET = adminEndpoint("GET /api/settings/house", async ({ services }) => ({
  house: await services.house.view(),
}));

export const PATCH = adminEndpoint("PATCH /api/settings/house", async (context) => {
  await changeHouse(context, context.body);
  return { house: await context.services.house.view() };
});
