"use client";

import { Folder } from "lucide-react";
import dynamic from "next/dynamic";
import { classNames } from "@/app/_ui/class-names";

const DrawnIcon = dynamic(() => import("./drawn-icon").then((part) => part.DrawnIcon), {
  ssr: false,
});

interface ProjectIconProps {
  readonly icon: string | null;
  /** Sizes the box, which is there before the drawing. */
  readonly className: string;
}

export function ProjectIcon({ icon, className }: ProjectIconProps) {
  return icon === null ? (
    <Folder aria-hidden className={classNames("shrink-0", className)} />
  ) : (
    <span aria-hidden className={classNames("inline-flex shrink-0 justify-center", className)}>
      <DrawnIcon icon={icon} />
    </span>
  );
}
