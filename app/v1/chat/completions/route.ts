import "@/lib/server/services";

import { answerEvents, wholeAnswer } from "@/lib/chat/programs/answer-writer";
import { completionRequest, completionTurn } from "@/lib/chat/programs/chat-completions";
import { CompletionWriter } from "@/lib/chat/programs/completion-writer";
import { answerTurn } from "@/lib/chat/programs/history-turn";
import { programBody, programEvents, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  POST: async ({ request, program }) => {
    const body = await programBody(request, completionRequest);
    const found = await answerTurn(program, () => completionTurn(body));
    const withUsage = body.stream_options?.include_usage ?? false;
    const writer = new CompletionWriter(found, { withUsage });
    if (!body.stream) return Response.json(await wholeAnswer(program, found, writer));
    const events = answerEvents(program, found, writer);
    return programEvents(events, { named: false, end: "[DONE]" });
  },
});
