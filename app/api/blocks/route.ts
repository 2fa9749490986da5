import { blockViews } from "@/lib/chat/memory/context-view";
import { createBlock } from "@/lib/chat/memory/own-blocks";
import { createBlockRequest } from "@/lib/chat/wire/memory";
import { bodyOf, route, textIn } from "@/lib/server/route";

export const GET = route(async ({ owner, query }) => {
  return Response.json({ blocks: await blockViews(owner, textIn(query, "session") ?? null) });
});

export const POST = route(async ({ owner, query, request }) => {
  const body = await bodyOf(request, createBlockRequest);
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(await createBlock(owner, sessionId, body), { status: 201 });
});
