import { readEntry, removeEntry, writeEntry } from "@/lib/chat/memory/entries";
import { writeEntryRequest } from "@/lib/chat/wire/memory";
import { bodyOf, route, textIn } from "@/lib/server/route";

interface Params {
  label: string;
  key: string;
}

export const GET = route<Params>(async ({ owner, params, query }) => {
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(await readEntry(owner, { ...params, sessionId }));
});

export const PUT = route<Params>(async ({ owner, params, query, request }) => {
  const body = await bodyOf(request, writeEntryRequest);
  const sessionId = textIn(query, "session") ?? null;
  return Response.json(await writeEntry(owner, { ...params, sessionId }, body));
});

export const DELETE = route<Params>(async ({ owner, params, query }) => {
  const sessionId = textIn(query, "session") ?? null;
  await removeEntry(owner, { ...params, sessionId });
  return Response.json({ ok: true });
});
