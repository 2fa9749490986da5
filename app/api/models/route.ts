import { modelsView } from "@/lib/chat/settings/settings-view";
import { route } from "@/lib/server/route";

export const GET = route(async ({ owner, services }) =>
  Response.json(await modelsView(services.models, owner)),
);
