import { endpoint } from "@/app/api/endpoint";

export const POST = endpoint("POST /api/data/stop", async ({ owner }) => {
  return { isStopping: await owner.data.stopDeleting() };
});
