import { endpoint } from "@/app/api/endpoint";
import { memoryOf } from "@/app/api/memory-of";

export const GET = endpoint("GET /api/blocks", async (context) => ({
  blocks: await memoryOf(context).list(),
}));

export const POST = endpoint("POST /api/blocks", (context) =>
  memoryOf(context).create(context.body, context.making.id),
);
