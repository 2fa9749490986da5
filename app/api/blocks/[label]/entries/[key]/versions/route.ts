import { versionWire } from "@/lib/chat/memory/context-view";
import { entriesOf } from "@/lib/chat/memory/entries";
import { route, textIn } from "@/lib/server/route";

export const GET = route<{ label: string; key: string }>(async ({ owner, params, query }) => {
  const entries = await entriesOf(owner, params.label, textIn(query, "session") ?? null);
  const versions = await entries.entryVersions(params.key, { limit: 200 });
  return Response.json({ versions: versions.map(versionWire) });
});
