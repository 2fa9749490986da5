import { versionWire } from "@/lib/chat/memory/context-view";
import { documentOf } from "@/lib/chat/memory/write-block";
import { route, textIn } from "@/lib/server/route";

export const GET = route<{ label: string }>(async ({ owner, params, query }) => {
  const document = await documentOf(owner, params.label, textIn(query, "session") ?? null);
  const versions = await document.versions({ limit: 200 });
  return Response.json({ versions: versions.map(versionWire) });
});
