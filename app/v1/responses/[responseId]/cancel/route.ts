import "@/lib/server/services";

import { cancelResponse } from "@/lib/chat/programs/responses";
import { programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<{ responseId: string }>({
  POST: async ({ request, params, program }) =>
    Response.json(await cancelResponse(program, params.responseId, request.signal)),
});
