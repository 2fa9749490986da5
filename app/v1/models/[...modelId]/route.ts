import "@/lib/server/services";

import { listModels } from "@/lib/chat/programs/models";
import { programError } from "@/lib/chat/programs/program-error";
import { programRoutes } from "@/lib/server/program-route";

/** A model's id holds slashes. */
export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<{ modelId: string[] }>({
  GET: async ({ params, program, services }) => {
    const id = params.modelId.map(decodeURIComponent).join("/");
    const models = await listModels(program, await services.models.registry(program.owner));
    const found = models.find((model) => model.id === id);
    if (!found) throw programError("no-model", `The model '${id}' does not exist.`, "model");
    return Response.json(found);
  },
});
