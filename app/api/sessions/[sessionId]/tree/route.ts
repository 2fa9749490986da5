import { messagesOf } from "@/lib/chat/sessions/transcript";
import type { TreeWire } from "@/lib/chat/wire/branches";
import { route } from "@/lib/server/route";

export const GET = route<{ sessionId: string }>(async ({ owner, params }) => {
  const messages = await messagesOf(owner, params.sessionId);
  const [nodes, leaf, compactions] = await Promise.all([
    messages.getTree(),
    messages.getLatestLeaf(),
    messages.getCompactions(),
  ]);
  const answer: TreeWire = {
    nodes: nodes.map((node) => ({ ...node, createdAt: node.createdAt.toISOString() })),
    activeLeafId: leaf?.id ?? null,
    compactions: compactions.map(({ id, fromMessageId, toMessageId }) => ({
      id,
      fromMessageId,
      toMessageId,
    })),
  };
  return Response.json(answer);
});
