import { endpoint } from "@/app/api/endpoint";
import { memoryOf } from "@/app/api/memory-of";

export const GET = endpoint("GET /api/blocks/:blockId/versions", async (context) => ({
  versions: await memoryOf(context).versions(context.params),
}));
