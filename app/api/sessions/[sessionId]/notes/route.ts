import { storeNote } from "@/lib/chat/branches/notes";
import { storeNoteRequest } from "@/lib/chat/wire/branches";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params, request }) => {
  const body = await bodyOf(request, storeNoteRequest);
  return Response.json(await storeNote(owner, params.sessionId, body), { status: 201 });
});
