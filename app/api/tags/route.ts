import { endpoint } from "@/app/api/endpoint";

export const GET = endpoint("GET /api/tags", async ({ owner }) => ({
  tags: await owner.store.sessions.tags(),
}));
