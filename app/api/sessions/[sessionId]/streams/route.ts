import { endpoint } from "@/app/api/endpoint";
import { followTogether } from "@/lib/chat/answering/follow-together";
import { leavingOf } from "@/lib/server/route";
import { eventsTo, Viewer } from "@/lib/server/viewer";

export const GET = endpoint(
  "GET /api/sessions/:sessionId/streams",
  async ({ owner, services, params, query: { runs }, request, identity }) => {
    const { runner, closing } = services;
    const viewer = new Viewer([
      request.signal,
      closing.signal,
      ...leavingOf({ services, identity, owner }),
    ]);
    const { sessionId } = params;
    const chunks = followTogether({ runner, owner, sessionId, runs, signal: viewer.signal });
    return eventsTo(viewer, chunks);
  },
);
