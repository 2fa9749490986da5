import { endpoint } from "@/app/api/endpoint";
import { messagesOf } from "@/lib/chat/sessions/transcript";

export const GET = endpoint("GET /api/sessions/:sessionId/tree", async ({ owner, params }) => {
  const messages = await messagesOf(owner, params.sessionId);
  const [nodes, leaf, compactions] = await Promise.all([
    messages.getTree(),
    messages.getLatestLeaf(),
    messages.getCompactions(),
  ]);
  return {
    nodes: nodes.map((node) => ({ ...node, createdAt: node.createdAt.toISOString() })),
    activeLeafId: leaf?.id ?? null,
    compactions: compactions.map(({ id, fromMessageId, toMessageId }) => ({
      id,
      fromMessageId,
      toMessageId,
    })),
  };
});
