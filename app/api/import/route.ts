import { importData } from "@/lib/server/import-data";
import { route } from "@/lib/server/route";

export const POST = route(async ({ owner, request }) => {
  return Response.json(await importData(owner, request.body));
});
