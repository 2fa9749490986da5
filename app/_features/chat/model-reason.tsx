"use client";

import Link from "next/link";
import type { RefObject } from "react";
import { choiceWords } from "@/app/_data/models/model-words";
import { AnchoredPanel } from "@/app/_ui/anchored-panel";
import { inSpace } from "@/app/_ui/page-space";
import type { ModelChoice } from "@/lib/chat/wire/request-fields";

export interface ModelReasonProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly name: string;
  readonly choice: ModelChoice;
  readonly onClose: () => void;
}

export function ModelReason({ anchor, name, choice, onClose }: ModelReasonProps) {
  return (
    <AnchoredPanel
      anchor={anchor}
      title="Why this model?"
      align="end"
      onClose={onClose}
      className="w-72"
    >
      <div className="flex flex-col items-start gap-2 text-sm sm:p-3.5">
        <p className="wrap-anywhere">
          <bdi>{name}</bdi>: {choiceWords[choice]}. Change it per chat or in Settings.
        </p>
        <Link
          href={inSpace("/settings?section=models")}
          className="relative rounded-xs text-muted underline underline-offset-2 pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-3 hover:text-ink"
        >
          Settings → Models
        </Link>
      </div>
    </AnchoredPanel>
  );
}
