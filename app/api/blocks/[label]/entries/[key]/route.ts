import { readEntry, removeEntry, writeEntry } from "@/lib/chat/entries";
import { writeEntryRequest } from "@/lib/chat/wire/memory";
import { bodyOf, route } from "@/lib/server/route";

interface Params {
  label: string;
  key: string;
}

export const GET = route<Params>(async ({ owner, params }) => {
  return Response.json(await readEntry(owner, params));
});

export const PUT = route<Params>(async ({ owner, params, request, services }) => {
  const body = await bodyOf(request, writeEntryRequest);
  const entry = await writeEntry(owner, params, body);
  services.tell(owner.ownerId, {
    type: "memory-changed",
    label: params.label,
    sessionId: null,
  });
  return Response.json(entry);
});

export const DELETE = route<Params>(async ({ owner, params, services }) => {
  await removeEntry(owner, params);
  services.tell(owner.ownerId, {
    type: "memory-changed",
    label: params.label,
    sessionId: null,
  });
  return Response.json({ ok: true });
});
