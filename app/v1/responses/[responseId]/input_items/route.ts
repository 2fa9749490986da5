import { pageOf } from "@/lib/chat/programs/item-page";
import { inputItems } from "@/lib/chat/programs/responses";
import { programRoute } from "@/lib/server/program-route";

export const GET = programRoute<{ responseId: string }>(async ({ params, query, program }) =>
  Response.json(pageOf(await inputItems(program, params.responseId), query)),
);
