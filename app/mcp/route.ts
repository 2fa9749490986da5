import "@/lib/server/services";

import { mcpRoute } from "@/lib/server/mcp-route";

export const DELETE = mcpRoute;
export const GET = mcpRoute;
export const POST = mcpRoute;
