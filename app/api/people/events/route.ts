import { adminEndpoint } from "@/app/api/endpoint";
import { ownOf } from "@/lib/server/own-account";
import { eventsWire } from "@/lib/server/people";

export const GET = adminEndpoint("GET /api/people/events", (context) =>
  eventsWire(ownOf(context), context.query.before),
);
