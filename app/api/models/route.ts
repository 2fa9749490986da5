import { endpoint } from "@/app/api/endpoint";
import { modelsView } from "@/lib/chat/settings/settings-view";

export const GET = endpoint("GET /api/models", ({ owner, services }) =>
  modelsView(services.models, owner),
);
