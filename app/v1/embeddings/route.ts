import "@/lib/server/services";

import { createEmbeddings, embeddingsRequest } from "@/lib/chat/programs/embeddings";
import { programBody, programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes({
  POST: async ({ request, program, services }) => {
    const body = await programBody(request, embeddingsRequest);
    const registry = await services.models.registry(program.owner);
    return Response.json(await createEmbeddings(program, registry, body));
  },
});
