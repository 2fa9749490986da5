import { storeNote } from "@/lib/chat/branches/notes";
import { storeNoteRequest } from "@/lib/chat/wire/branches";
import { bodyOf, route } from "@/lib/server/route";

export const POST = route<{ sessionId: string }>(async ({ owner, params, request, services }) => {
  const body = await bodyOf(request, storeNoteRequest);
  const entry = await storeNote(owner, params.sessionId, body);
  services.tell(owner.ownerId, { type: "session-changed", sessionId: params.sessionId });
  return Response.json(entry, { status: 201 });
});
