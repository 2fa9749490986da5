"use client";

import { SquarePen } from "lucide-react";
import Link from "next/link";
import { focusComposer } from "@/app/_data/page/focus-composer";
import { shellStore } from "@/app/_data/page/shell-store";
import { classNames } from "@/app/_ui/class-names";
import { inSpace } from "@/app/_ui/page-space";
import { usePrefetchOnApproach } from "@/app/_ui/prefetch-on-approach";
import { tooltip } from "@/app/_ui/tooltip";
import { useSpace } from "@/app/_ui/use-space";

export function NewChatLink({ compact = false }: { compact?: boolean }) {
  const approach = usePrefetchOnApproach();
  return (
    <Link
      href={inSpace("/", useSpace())}
      {...approach}
      {...(compact && {
        "aria-label": "New chat",
        ...tooltip({ label: "New chat", shortcut: ["mod", "shift", "O"] }),
      })}
      onClick={() => {
        shellStore.closeSidebarSheet();
        focusComposer();
      }}
      className={classNames(
        "relative flex items-center rounded-md transition-colors hover:bg-hover",
        compact
          ? "size-8 justify-center text-muted pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5 hover:text-ink"
          : "h-9 pointer-coarse:h-11 gap-2.5 px-2.5 font-medium text-sm",
      )}
    >
      <SquarePen aria-hidden className={compact ? "size-4" : "size-4 text-accent"} />
      {!compact && "New chat"}
    </Link>
  );
}
