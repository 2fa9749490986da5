import { endpoint } from "@/app/api/endpoint";
import { listProjects, makeProject } from "@/lib/server/projects";

export const GET = endpoint("GET /api/projects", ({ services, identity, query }) =>
  listProjects(services, identity, query),
);

export const POST = endpoint("POST /api/projects", ({ services, identity, body }) =>
  makeProject(services, identity, body),
);
