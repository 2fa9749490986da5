import "@/lib/server/services";

import { listModels, modelsForClaude } from "@/lib/chat/programs/models";
import { programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  GET: async ({ request, program, services }) => {
    const data = await listModels(program, await services.models.registry(program.owner));
    // Clients of Anthropic send their version of it.
    const isForClaude = request.headers.has("anthropic-version");
    return Response.json(isForClaude ? modelsForClaude(data) : { object: "list", data });
  },
});
