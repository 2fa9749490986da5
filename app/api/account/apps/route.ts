import { endpoint } from "@/app/api/endpoint";
import { connectApp } from "@/lib/server/app-requests";

export const POST = endpoint("POST /api/account/apps", async (context) => ({
  page: await connectApp(context, context.body, context.making.id),
}));
