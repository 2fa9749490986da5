import "@/lib/server/services";

import { createItems, createItemsRequest, listItems } from "@/lib/chat/programs/conversations";
import { programBody, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<{ conversationId: string }>({
  GET: async ({ params, query, program }) =>
    Response.json(await listItems(program, params.conversationId, query)),
  POST: async ({ request, params, program }) => {
    const body = await programBody(request, createItemsRequest);
    return Response.json(await createItems(program, params.conversationId, body));
  },
});
