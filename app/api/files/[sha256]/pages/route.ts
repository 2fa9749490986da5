import { endpoint } from "@/app/api/endpoint";

export const GET = endpoint("GET /api/files/:sha256/pages", async ({ owner, params, query }) => ({
  pages: await owner.files.pages(params.sha256, {
    from: query.from,
    to: query.from + query.limit - 1,
  }),
}));
