import { endpoint } from "@/app/api/endpoint";
import { usageView } from "@/lib/chat/data/usage-view";

export const GET = endpoint("GET /api/usage", async (context) => {
  const { owner, services, query } = context;
  const projects = await services.projects.list(owner.personId);
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const { days = null, tz = "UTC" } = query;
  return usageView({ usage: owner.usage, names }, { days, timeZone: tz });
});
