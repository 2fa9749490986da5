import { endpoint } from "@/app/api/endpoint";
import { promptsView } from "@/lib/chat/settings/prompts";

export const GET = endpoint("GET /api/prompts", ({ owner }) => promptsView(owner));
