import { writeEntryRequest } from "@/lib/chat/wire/memory";
import { memoryOf } from "@/lib/server/memory-of";
import { bodyOf, route, textIn } from "@/lib/server/route";

interface Params {
  blockId: string;
}

export const GET = route<Params>(async (context) => {
  const find = textIn(context.query, "q");
  return Response.json({ entries: await memoryOf(context).entries(context.params.blockId, find) });
});

export const POST = route<Params>(async (context) => {
  const body = await bodyOf(context.request, writeEntryRequest);
  const entry = await memoryOf(context).addEntry(context.params.blockId, body);
  return Response.json(entry, { status: 201 });
});
