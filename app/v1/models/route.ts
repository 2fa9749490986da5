import { listModels } from "@/lib/chat/programs/models";
import { programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  GET: async ({ program, services }) =>
    Response.json({
      object: "list",
      data: await listModels(program, await services.models.registry(program.owner)),
    }),
});
