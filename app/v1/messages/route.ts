import "@/lib/server/services";

import { answerEvents, wholeAnswer } from "@/lib/chat/programs/answer-writer";
import { answerTurn } from "@/lib/chat/programs/history-turn";
import { MessageWriter } from "@/lib/chat/programs/message-writer";
import { messagesErrorBody } from "@/lib/chat/programs/messages-error";
import { messagesRequest, messagesTurn, showsThoughts } from "@/lib/chat/programs/messages-request";
import { programBody, programEvents, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes(
  {
    POST: async ({ request, program }) => {
      const body = await programBody(request, messagesRequest);
      const found = await answerTurn(program, () => messagesTurn(body));
      const writer = new MessageWriter(found, { showsThoughts: showsThoughts(body) });
      if (!body.stream) return Response.json(await wholeAnswer(program, found, writer));
      return programEvents(answerEvents(program, found, writer), { named: true });
    },
  },
  { errorBody: messagesErrorBody },
);
