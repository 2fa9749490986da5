import { endpoint } from "@/app/api/endpoint";
import { deleteEverything } from "@/lib/chat/data/portable-data";

export const GET = endpoint("GET /api/data", ({ owner }) => owner.data.counts());

export const DELETE = endpoint("DELETE /api/data", async ({ owner, services }) => {
  await services.limits.carry(owner.personId);
  return deleteEverything(owner);
});
