import "@/lib/server/services";

import { createResponseRequest } from "@/lib/chat/programs/response-request";
import { createResponse, responseEvents, responseToCaller } from "@/lib/chat/programs/responses";
import { programBody, programEvents, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  POST: async ({ request, program }) => {
    const body = await programBody(request, createResponseRequest);
    const found = await createResponse(program, body);
    const { signal } = request;
    if (body.stream) {
      return programEvents(responseEvents(program, found, { signal }), { named: true });
    }
    return Response.json(await responseToCaller(program, found));
  },
});
