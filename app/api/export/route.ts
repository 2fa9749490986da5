import { endpoint } from "@/app/api/endpoint";
import { exportEverything } from "@/lib/chat/data/portable-data";
import { download } from "@/lib/server/download";
import { noteExport } from "@/lib/server/own-account";

export const GET = endpoint("GET /api/export", async (context) => {
  const day = new Date().toISOString().slice(0, 10);
  return download(await exportEverything(context.owner), {
    fileName: `grove-${day}.jsonl`,
    type: "application/x-ndjson",
    onEnd: () => noteExport(context, context.owner),
  });
});
