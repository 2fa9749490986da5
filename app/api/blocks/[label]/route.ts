import { writeBlockRequest } from "@/lib/chat/wire/memory";
import { writeBlock } from "@/lib/chat/write-block";
import { bodyOf, route, textIn } from "@/lib/server/route";

export const PUT = route<{ label: string }>(async ({ owner, params, query, request, services }) => {
  const body = await bodyOf(request, writeBlockRequest);
  const sessionId = textIn(query, "session") ?? null;
  const block = await writeBlock(owner, { label: params.label, sessionId, ...body });
  services.tell(owner.ownerId, { type: "memory-changed", label: params.label, sessionId });
  return Response.json(block);
});
