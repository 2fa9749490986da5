import "@/lib/server/services";

import { readQuery } from "@/lib/chat/programs/item-page";
import {
  deleteResponse,
  findResponse,
  responseEvents,
  responseOf,
  streamQuery,
} from "@/lib/chat/programs/responses";
import { programEvents, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<{ responseId: string }>({
  GET: async ({ request: { signal }, params, query, program }) => {
    const { stream, starting_after: after } = readQuery(query, streamQuery);
    const found = await findResponse(program, params.responseId);
    if (stream === "true")
      return programEvents(responseEvents(program, found, { after, signal }), { named: true });
    return Response.json(await responseOf(program, found, { waits: false, signal }));
  },
  DELETE: async ({ params, program }) =>
    Response.json(await deleteResponse(program, params.responseId)),
});
