import "@/lib/server/services";

import { programRoutes } from "@/lib/server/program-route";

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<{ path: string[] }>({});
