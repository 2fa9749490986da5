import "@/lib/server/services";

import { appRoute, formOf } from "@/lib/server/app-requests";

export const POST = appRoute(async (apps, request) =>
  apps.exchange("token", await formOf(request)),
);
