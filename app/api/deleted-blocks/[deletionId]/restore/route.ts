import { restoreBlock } from "@/lib/chat/memory/own-blocks";
import { route } from "@/lib/server/route";

export const POST = route<{ deletionId: string }>(async ({ owner, params }) => {
  return Response.json(await restoreBlock(owner, params.deletionId));
});
