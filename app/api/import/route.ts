import { importData } from "@/lib/server/import-data";
import { route } from "@/lib/server/route";

export const POST = route(async ({ owner, services, request }) => {
  const report = await importData(services, owner, request.body);
  await services.tell(owner.ownerId, { type: "memory-changed", label: "memory", sessionId: null });
  return Response.json(report);
});
