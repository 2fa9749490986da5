import "@/lib/server/services";

import { inputItems } from "@/lib/chat/programs/responses";
import { programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<{ responseId: string }>({
  GET: async ({ params, query, program }) =>
    Response.json(await inputItems(program, params.responseId, query)),
});
