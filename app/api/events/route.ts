import { endpoint } from "@/app/api/endpoint";
import { inOwnSpace, isOwnSpace } from "@/lib/chat/core/person-in-space";
import type { EventWire } from "@/lib/chat/wire/events";
import { eventStream } from "@/lib/server/event-stream";
import { leavingOf } from "@/lib/server/route";
import { Viewer } from "@/lib/server/viewer";

export const GET = endpoint("GET /api/events", ({ services, owner, request, identity }) =>
  eventStream(
    (send) => {
      const ends = [services.tabs.subscribe(owner.spaceId, send)];
      const ofPerson = (event: EventWire) => event.type === "settings-changed" && send(event);
      if (!isOwnSpace(owner))
        ends.push(services.tabs.subscribe(inOwnSpace(owner.personId).spaceId, ofPerson));
      return () => {
        for (const end of ends) end();
      };
    },
    new Viewer([
      request.signal,
      services.closing.signal,
      ...leavingOf({ services, identity, owner }),
    ]),
  ),
);
