import "@/lib/server/services";

import { createConversation, createConversationRequest } from "@/lib/chat/programs/conversations";
import { programBody, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  POST: async ({ request, program }) =>
    Response.json(
      await createConversation(program, await programBody(request, createConversationRequest)),
    ),
});
