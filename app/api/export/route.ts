import { download } from "@/lib/server/download";
import { exportEverything } from "@/lib/server/export-data";
import { route } from "@/lib/server/route";

export const GET = route(async ({ owner, services }) => {
  const day = new Date().toISOString().slice(0, 10);
  return download(await exportEverything(services, owner), {
    fileName: `grove-${day}.jsonl`,
    type: "application/x-ndjson",
  });
});
