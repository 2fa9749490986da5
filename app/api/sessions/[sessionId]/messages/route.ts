import { endpoint } from "@/app/api/endpoint";
import { sendMessage } from "@/lib/chat/answering/send-message";
import { deleteMessages } from "@/lib/chat/branches/delete-messages";
import type { SendResponse, StoredEvent } from "@/lib/chat/wire/messages";
import { leavingOf } from "@/lib/server/route";
import { eventsTo, Viewer } from "@/lib/server/viewer";

/** A sender that takes events gets the answer on the same connection. */
export const POST = endpoint(
  "POST /api/sessions/:sessionId/messages",
  async ({ answering, owner, params, body, request, services, identity }) => {
    const sent = await sendMessage(answering, params.sessionId, body);
    const { run, others } = sent;
    const takesEvents = request.headers.get("accept")?.includes("text/event-stream");
    if (!takesEvents || !run || run.part > 0 || others) return sent;
    const leaving = leavingOf({ services, identity, owner });
    const viewer = new Viewer([request.signal, services.closing.signal, ...leaving]);
    const place = { runId: run.id, after: 0, signal: viewer.signal };
    return eventsTo(viewer, after(sent, answering.runner.followBatches(answering.owner, place)));
  },
);

async function* after<Chunk>(
  sent: SendResponse,
  chunks: AsyncGenerator<readonly Chunk[]>,
): AsyncGenerator<readonly (StoredEvent | Chunk)[]> {
  yield [{ type: "stored", ...sent }];
  yield* chunks;
}

export const DELETE = endpoint(
  "DELETE /api/sessions/:sessionId/messages",
  ({ owner, params, body }) => deleteMessages(owner, params.sessionId, body),
);
