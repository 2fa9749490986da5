"use client";

import { type ReactNode, useEffect, useState } from "react";
import { useProject } from "@/app/_data/projects/use-projects";
import { ReadsOnly } from "@/app/_ui/reads-only";
import { leaveDocument } from "@/app/_ui/use-back-closes";
import { useSpace } from "@/app/_ui/use-space";

/** @param readsOnly holds until the browser knows better. */
export function RoleInProject({
  readsOnly,
  children,
}: {
  readonly readsOnly: boolean;
  readonly children: ReactNode;
}) {
  const space = useSpace();
  const project = useProject();
  const [role, setRole] = useState(project?.role);
  if (project && project.role !== role) setRole(project.role);
  const isReader = role === undefined ? readsOnly : role === "reader";
  // A reader has typed nothing here that the page must keep.
  const isOver = isReader && space !== null && project === null;
  useEffect(() => {
    if (isOver) leaveDocument("/");
  }, [isOver]);
  if (isOver) return null;
  return <ReadsOnly value={isReader}>{children}</ReadsOnly>;
}
