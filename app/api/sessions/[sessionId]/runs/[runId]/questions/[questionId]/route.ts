import { endpoint } from "@/app/api/endpoint";
import { answerQuestion } from "@/lib/chat/answering/ask-person";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/runs/:runId/questions/:questionId",
  async ({ owner, params, body }) => {
    await answerQuestion(owner, params, body);
    return { ok: true };
  },
);
