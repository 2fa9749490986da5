import "@/lib/server/services";

import { appRoute, jsonOf } from "@/lib/server/app-requests";

export const POST = appRoute(async (apps, request) => apps.register(await jsonOf(request)));
