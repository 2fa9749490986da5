import { draftNote } from "@/lib/chat/branches/notes";
import { requireSession } from "@/lib/chat/sessions/transcript";
import { draftNoteRequest } from "@/lib/chat/wire/branches";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, answering, params, request }) => {
  const places = await bodyOf(request, draftNoteRequest);
  const info = await requireSession(owner, params.sessionId);
  const resolved = await answering.chooseModel(info.model);
  const { signal } = request;
  return Response.json(await draftNote(owner, params.sessionId, { ...places, resolved, signal }));
});
