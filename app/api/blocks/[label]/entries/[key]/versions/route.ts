import { versionWire } from "@/lib/chat/context-view";
import { entriesOf } from "@/lib/chat/entries";
import { route } from "@/lib/server/route";

export const GET = route<{ label: string; key: string }>(async ({ owner, params }) => {
  const versions = await entriesOf(owner, params.label).entryVersions(params.key, { limit: 200 });
  return Response.json({ versions: versions.map(versionWire) });
});
