import "@/lib/server/services";

import { drawnShare } from "@/app/api/drawn-share";
import { endpoint } from "@/app/api/endpoint";
import { makeShare } from "@/lib/server/shares";

export const POST = endpoint("POST /api/sessions/:sessionId/shares", (context) => {
  const { owner, params, body, making } = context;
  return makeShare(context, params.sessionId, body, {
    shareId: making.id,
    draw: (drawing) => drawnShare(owner, drawing),
  });
});
