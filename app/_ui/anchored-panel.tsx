"use client";

import { Popover } from "radix-ui";
import type { ReactNode, RefObject } from "react";
import { Dialog } from "./dialog";
import { besideQuery, useMediaQuery } from "./use-media-query";

export interface AnchoredPanelProps {
  anchor: RefObject<HTMLElement | null>;
  title: string;
  onClose: () => void;
  side?: "top" | "bottom";
  align?: "start" | "end";
  className?: string;
  children: ReactNode;
}

export function AnchoredPanel(props: AnchoredPanelProps) {
  const isWide = useMediaQuery(besideQuery);
  return isWide ? <Panel {...props} /> : <PanelSheet {...props} />;
}

function PanelSheet({ title, onClose, anchor, children }: AnchoredPanelProps) {
  return (
    <Dialog onClose={onClose} title={title} onCloseAutoFocus={(event) => giveBack(event, anchor)}>
      {children}
    </Dialog>
  );
}

function Panel({
  anchor,
  title,
  onClose,
  side = "top",
  align = "start",
  className,
  children,
}: AnchoredPanelProps) {
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor as RefObject<HTMLElement>} />
      <Popover.Portal>
        <Popover.Content
          role="dialog"
          aria-label={title}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => giveBack(event, anchor)}
          onInteractOutside={(event) => {
            if (event.target instanceof Node && anchor.current?.contains(event.target))
              event.preventDefault();
          }}
          className={`z-50 flex max-h-(--radix-popover-content-available-height) max-w-[calc(100vw-1rem)] animate-pop flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float outline-none ${className ?? ""}`}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function giveBack(event: Event, anchor: RefObject<HTMLElement | null>): void {
  event.preventDefault();
  anchor.current?.focus();
}
