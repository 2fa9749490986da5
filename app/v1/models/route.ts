import { listModels } from "@/lib/chat/programs/models";
import { programRoute } from "@/lib/server/program-route";

export const GET = programRoute(async ({ program, services }) =>
  Response.json({
    object: "list",
    data: await listModels(program, await services.models.registry(program.owner)),
  }),
);
