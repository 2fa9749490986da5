import { restoreBlock } from "@/lib/chat/memory/own-blocks";
import { route } from "@/lib/server/route";

export const POST = route<{ deletionId: string }>(async ({ owner, params, services }) => {
  const block = await restoreBlock(owner, params.deletionId);
  services.tell(owner.ownerId, { type: "memory-changed", label: block.label, sessionId: null });
  return Response.json(block);
});
