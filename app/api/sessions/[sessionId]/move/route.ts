import { endpoint } from "@/app/api/endpoint";
import { moveToSpace } from "@/lib/server/moved-chats";

export const POST = endpoint("POST /api/sessions/:sessionId/move", ({ params, body, ...context }) =>
  moveToSpace(context, { ...params, ...body }),
);
