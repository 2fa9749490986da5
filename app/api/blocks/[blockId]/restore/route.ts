import { memoryOf } from "@/lib/server/memory-of";
import { route } from "@/lib/server/route";

export const POST = route<{ blockId: string }>(async (context) =>
  Response.json(await memoryOf(context).restore(context.params.blockId)),
);
