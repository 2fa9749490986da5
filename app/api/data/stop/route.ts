import { endpoint } from "@/app/api/endpoint";

export const POST = endpoint("POST /api/data/stop", async ({ owner }) => {
  await owner.data.stopDeleting();
  return { ok: true };
});
