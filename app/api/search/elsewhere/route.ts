import { endpoint } from "@/app/api/endpoint";
import { searchElsewhere } from "@/lib/server/search-elsewhere";

export const GET = endpoint("GET /api/search/elsewhere", ({ services, owner, request, query }) =>
  searchElsewhere(services, owner, { input: query.q ?? "", signal: request.signal }),
);
