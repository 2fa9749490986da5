import "@/lib/server/services";

import { countTokens } from "@/lib/chat/programs/count-tokens";
import { messagesErrorBody } from "@/lib/chat/programs/messages-error";
import { countedRequest } from "@/lib/chat/programs/messages-request";
import { programBody, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes(
  {
    POST: async ({ request, program }) =>
      Response.json(await countTokens(program, await programBody(request, countedRequest))),
  },
  { errorBody: messagesErrorBody },
);
