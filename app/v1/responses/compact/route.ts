import "@/lib/server/services";

import { compactRequest, compactResponse } from "@/lib/chat/programs/compact-response";
import { programBody, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  POST: async ({ request, program }) => {
    const body = await programBody(request, compactRequest);
    return Response.json(await compactResponse(program, body, request.signal));
  },
});
