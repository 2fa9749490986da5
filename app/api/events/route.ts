import { endpoint } from "@/app/api/endpoint";
import { eventStream } from "@/lib/server/event-stream";
import { leavingOf } from "@/lib/server/route";
import { Viewer } from "@/lib/server/viewer";

export const GET = endpoint("GET /api/events", ({ services, owner, request, identity }) =>
  eventStream(
    (send) => services.tabs.subscribe(owner.spaceId, send),
    new Viewer([request.signal, services.closing.signal, ...leavingOf(services, identity)]),
  ),
);
