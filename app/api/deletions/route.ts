import { endpoint } from "@/app/api/endpoint";
import { deletedPage } from "@/lib/chat/data/deletions";

export const GET = endpoint("GET /api/deletions", ({ owner, services, query }) =>
  deletedPage(owner, { after: query.after, keptMs: services.deletedKeptMs }),
);
