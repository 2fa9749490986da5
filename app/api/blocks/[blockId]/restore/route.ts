import { endpoint } from "@/app/api/endpoint";
import { memoryOf } from "@/app/api/memory-of";

export const POST = endpoint("POST /api/blocks/:blockId/restore", (context) =>
  memoryOf(context).restore(context.params.blockId),
);
