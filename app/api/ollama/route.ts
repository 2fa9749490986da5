import { endpoint } from "@/app/api/endpoint";
import { ollamaView } from "@/lib/chat/settings/pulls";

export const GET = endpoint("GET /api/ollama", ({ owner, services, identity }) =>
  ollamaView(services.models, { owner, isMember: identity.person?.role === "member" }),
);
