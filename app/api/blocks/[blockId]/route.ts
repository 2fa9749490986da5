import { changeBlockRequest, writeBlockRequest } from "@/lib/chat/wire/memory";
import { memoryOf } from "@/lib/server/memory-of";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  blockId: string;
}

export const PUT = route<Params>(async (context) => {
  const body = await bodyOf(context.request, writeBlockRequest);
  return Response.json(await memoryOf(context).write(context.params.blockId, body));
});

export const PATCH = route<Params>(async (context) => {
  const body = await bodyOf(context.request, changeBlockRequest);
  return Response.json(await memoryOf(context).change(context.params.blockId, body));
});

export const DELETE = route<Params>(async (context) => {
  await memoryOf(context).delete(context.params.blockId);
  return Response.json({ ok: true });
});
