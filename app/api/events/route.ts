import { eventStream } from "@/lib/server/event-stream";
import { route } from "@/lib/server/route";

export const GET = route(({ services, owner, request }) =>
  eventStream(
    (send) => services.tabs.subscribe(owner.ownerId, send),
    AbortSignal.any([request.signal, services.closing.signal]),
  ),
);
