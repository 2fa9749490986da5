import { endpoint } from "@/app/api/endpoint";
import { memoryOf } from "@/app/api/memory-of";

export const PUT = endpoint("PUT /api/blocks/:blockId", (context) =>
  memoryOf(context).write(context.params.blockId, context.body),
);

export const PATCH = endpoint("PATCH /api/blocks/:blockId", (context) =>
  memoryOf(context).change(context.params.blockId, context.body),
);

export const DELETE = endpoint("DELETE /api/blocks/:blockId", (context) =>
  memoryOf(context).delete(context.params.blockId, context.query.deletionId),
);
