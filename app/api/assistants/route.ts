import { endpoint } from "@/app/api/endpoint";
import { assistantsView } from "@/lib/chat/memory/assistants";

export const GET = endpoint("GET /api/assistants", ({ owner }) => assistantsView(owner));
