import { endpoint } from "@/app/api/endpoint";
import { joinProject } from "@/lib/server/members";

export const POST = endpoint("POST /api/projects/join", (context) =>
  joinProject(context, context.body.token),
);
