import { createBlockRequest } from "@/lib/chat/wire/memory";
import { memoryOf } from "@/lib/server/memory-of";
import { bodyOf, route } from "@/lib/server/route";

export const GET = route(async (context) => {
  return Response.json({ blocks: await memoryOf(context).list() });
});

export const POST = route(async (context) => {
  const body = await bodyOf(context.request, createBlockRequest);
  return Response.json(await memoryOf(context).create(body), { status: 201 });
});
