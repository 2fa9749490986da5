import { addEntry, listEntries } from "@/lib/chat/memory/entries";
import { writeEntryRequest } from "@/lib/chat/wire/memory";
import { bodyOf, route, textIn } from "@/lib/server/route";

export const GET = route<{ label: string }>(async ({ owner, params, query }) => {
  const sessionId = textIn(query, "session") ?? null;
  const find = textIn(query, "q");
  return Response.json({
    entries: await listEntries(owner, { label: params.label, sessionId, find }),
  });
});

export const POST = route<{ label: string }>(async ({ owner, params, query, request }) => {
  const body = await bodyOf(request, writeEntryRequest);
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(await addEntry(owner, { label: params.label, sessionId }, body), {
    status: 201,
  });
});
