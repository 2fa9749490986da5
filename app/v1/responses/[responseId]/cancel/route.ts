import { cancelResponse } from "@/lib/chat/programs/responses";
import { programRoute } from "@/lib/server/program-route";

export const POST = programRoute<{ responseId: string }>(async ({ request, params, program }) =>
  Response.json(await cancelResponse(program, params.responseId, request.signal)),
);
