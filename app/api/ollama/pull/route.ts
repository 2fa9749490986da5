import { endpoint } from "@/app/api/endpoint";
import { ollamaServer, pulled } from "@/lib/chat/settings/pulls";
import { leavingOf } from "@/lib/server/route";
import { eventsTo, Viewer } from "@/lib/server/viewer";

export const POST = endpoint(
  "POST /api/ollama/pull",
  async ({ owner, services, identity, body: { provider, model }, request }) => {
    const { models, closing } = services;
    const isMember = identity.person?.role === "member";
    const server = await ollamaServer(models, { owner, isMember, provider });
    const leaving = leavingOf({ services, identity, owner });
    const viewer = new Viewer([request.signal, closing.signal, ...leaving]);
    const events = pulled(server, {
      model,
      signal: viewer.signal,
      async onDone() {
        models.forget(owner.personId);
        // The event lets other processes and tabs read their lists again.
        await owner.settings.change({});
      },
    });
    return eventsTo(viewer, events);
  },
);
