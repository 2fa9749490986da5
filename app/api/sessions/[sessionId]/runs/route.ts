import { endpoint } from "@/app/api/endpoint";
import { answerMessage } from "@/lib/chat/answering/send-message";
import { runWire } from "@/lib/chat/sessions/transcript";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/runs",
  async ({ answering, params, body }) => ({
    run: runWire(await answerMessage(answering, params.sessionId, body)),
  }),
);
