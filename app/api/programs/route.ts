import { endpoint } from "@/app/api/endpoint";

export const GET = endpoint("GET /api/programs", async ({ owner }) => ({
  programs: await owner.programs(),
}));
