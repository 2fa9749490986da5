import { writeEntryRequest } from "@/lib/chat/wire/memory";
import { memoryOf } from "@/lib/server/memory-of";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  blockId: string;
  key: string;
}

export const GET = route<Params>(async (context) => {
  const { blockId, key } = context.params;
  return Response.json(await memoryOf(context).entry(blockId, key));
});

export const PUT = route<Params>(async (context) => {
  const body = await bodyOf(context.request, writeEntryRequest);
  const { blockId, key } = context.params;
  return Response.json(await memoryOf(context).writeEntry(blockId, key, body));
});

export const DELETE = route<Params>(async (context) => {
  const { blockId, key } = context.params;
  await memoryOf(context).removeEntry(blockId, key);
  return Response.json({ ok: true });
});
