import { endpoint } from "@/app/api/endpoint";
import { memoryOf } from "@/app/api/memory-of";

export const GET = endpoint("GET /api/blocks/:blockId/entries", async (context) => ({
  entries: await memoryOf(context).entries(context.params.blockId, context.query.q),
}));

export const POST = endpoint("POST /api/blocks/:blockId/entries", (context) =>
  memoryOf(context).addEntry(context.params.blockId, context.body),
);
