import { route } from "@/lib/server/route";
import { modelsView } from "@/lib/server/settings-view";

export const GET = route(async ({ owner, services }) =>
  Response.json(await modelsView(services, owner)),
);
