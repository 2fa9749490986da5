import { endpoint } from "@/app/api/endpoint";
import { exportEverything } from "@/lib/chat/data/portable-data";
import { download } from "@/lib/server/download";

export const GET = endpoint("GET /api/export", async ({ owner }) => {
  const day = new Date().toISOString().slice(0, 10);
  return download(await exportEverything(owner), {
    fileName: `grove-${day}.jsonl`,
    type: "application/x-ndjson",
  });
});
