import type { ReactNode } from "react";
import { RoleInProject } from "@/app/_shell/role-in-project";
import { inProject } from "@/app/identity";

interface ProjectLayoutProps {
  readonly params: Promise<{ spaceId: string }>;
  readonly children: ReactNode;
}

/** The first render knows the role, so that no control flashes that would be refused. */
export default async function ProjectLayout({ params, children }: ProjectLayoutProps) {
  const { spaceId } = await params;
  const access = await inProject(spaceId).catch(() => null);
  return <RoleInProject readsOnly={access?.project?.role === "reader"}>{children}</RoleInProject>;
}
