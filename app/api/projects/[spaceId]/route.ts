import { endpoint } from "@/app/api/endpoint";
import { changeProject, deleteProject, projectOf } from "@/lib/server/projects";

export const GET = endpoint("GET /api/projects/:spaceId", (context) => projectOf(context));

export const PATCH = endpoint("PATCH /api/projects/:spaceId", (context) =>
  changeProject(context, context.body),
);

export const DELETE = endpoint("DELETE /api/projects/:spaceId", (context) =>
  deleteProject(context),
);
