import {
  deleteResponse,
  findResponse,
  responseEvents,
  responseOf,
} from "@/lib/chat/programs/responses";
import { programEvents, programRoute } from "@/lib/server/program-route";

interface Params {
  readonly responseId: string;
}

export const GET = programRoute<Params>(async ({ request, params, query, program, services }) => {
  const found = await findResponse(program, params.responseId);
  const signal = AbortSignal.any([request.signal, services.closing.signal]);
  if (query.get("stream") !== "true") {
    return Response.json(await responseOf(program, found, { waits: false, signal }));
  }
  const after = Number(query.get("starting_after") ?? -1);
  const events = responseEvents(program, found, {
    after: Number.isNaN(after) ? -1 : after,
    signal,
  });
  return programEvents(events, { named: true });
});

export const DELETE = programRoute<Params>(async ({ params, program }) =>
  Response.json(await deleteResponse(program, params.responseId)),
);
