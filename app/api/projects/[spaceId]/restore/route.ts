import { endpoint } from "@/app/api/endpoint";
import { restoreProject } from "@/lib/server/projects";

export const POST = endpoint("POST /api/projects/:spaceId/restore", (context) =>
  restoreProject(context),
);
