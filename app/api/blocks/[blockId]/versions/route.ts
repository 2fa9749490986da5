import { memoryOf } from "@/lib/server/memory-of";
import { route } from "@/lib/server/route";

export const GET = route<{ blockId: string }>(async (context) => {
  return Response.json({ versions: await memoryOf(context).versions(context.params) });
});
