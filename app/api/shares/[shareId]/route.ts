import "@/lib/server/services";

import { drawnShare } from "@/app/api/drawn-share";
import { endpoint } from "@/app/api/endpoint";
import { changeShare, stopSharing } from "@/lib/server/shares";

export const PATCH = endpoint("PATCH /api/shares/:shareId", (context) => {
  const { owner, params, body } = context;
  return changeShare(context, params.shareId, body, (drawing) => drawnShare(owner, drawing));
});

export const DELETE = endpoint("DELETE /api/shares/:shareId", (context) =>
  stopSharing(context, context.params.shareId),
);
