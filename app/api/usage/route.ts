import { endpoint } from "@/app/api/endpoint";
import { usageView } from "@/lib/chat/data/usage-view";

export const GET = endpoint("GET /api/usage", ({ owner, query: { days = null, tz = "UTC" } }) =>
  usageView(owner, { days, timeZone: tz }),
);
