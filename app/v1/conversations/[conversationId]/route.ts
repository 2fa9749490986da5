import "@/lib/server/services";

import {
  deleteConversation,
  findConversation,
  updateConversation,
  updateConversationRequest,
} from "@/lib/chat/programs/conversations";
import { programBody, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<{ conversationId: string }>({
  GET: async ({ params, program }) =>
    Response.json(await findConversation(program, params.conversationId)),
  POST: async ({ request, params, program }) => {
    const body = await programBody(request, updateConversationRequest);
    return Response.json(await updateConversation(program, params.conversationId, body));
  },
  DELETE: async ({ params, program }) =>
    Response.json(await deleteConversation(program, params.conversationId)),
});
