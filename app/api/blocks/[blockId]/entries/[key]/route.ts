import { endpoint } from "@/app/api/endpoint";
import { memoryOf } from "@/app/api/memory-of";

export const GET = endpoint("GET /api/blocks/:blockId/entries/:key", (context) =>
  memoryOf(context).entry(context.params.blockId, context.params.key),
);

export const PUT = endpoint("PUT /api/blocks/:blockId/entries/:key", (context) =>
  memoryOf(context).writeEntry(context.params.blockId, context.params.key, context.body),
);

export const DELETE = endpoint("DELETE /api/blocks/:blockId/entries/:key", (context) => {
  const { params, query } = context;
  return memoryOf(context).removeEntry(params.blockId, params.key, query);
});
