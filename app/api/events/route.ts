import { endpoint } from "@/app/api/endpoint";
import { eventStream } from "@/lib/server/event-stream";

export const GET = endpoint("GET /api/events", ({ services, owner, request }) =>
  eventStream(
    (send) => services.tabs.subscribe(owner.ownerId, send),
    AbortSignal.any([request.signal, services.closing.signal]),
  ),
);
