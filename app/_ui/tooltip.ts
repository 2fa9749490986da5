export type TooltipSide = "top" | "bottom" | "left" | "right";

export interface TooltipOptions {
  readonly label: string;
  readonly shortcut?: readonly string[] | undefined;
  readonly side?: TooltipSide;
}

/** The tooltip repeats or shortens a label and is not read aloud. */
export function tooltip({ label, shortcut, side = "bottom" }: TooltipOptions) {
  return {
    "data-tooltip": label,
    "data-tooltip-side": side,
    ...(shortcut && { "data-tooltip-keys": shortcut.join(" ") }),
  };
}

export function tooltipOf(element: HTMLElement): TooltipOptions {
  const { tooltip: label = "", tooltipSide = "bottom", tooltipKeys } = element.dataset;
  return { label, side: tooltipSide as TooltipSide, shortcut: tooltipKeys?.split(" ") };
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Size = Pick<Box, "width" | "height">;

const gapPx = 6;
const edgePx = 8;
const opposite = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;

export function tooltipPlace(
  { anchor, size, view }: { readonly anchor: Box; readonly size: Size; readonly view: Size },
  side: TooltipSide,
): Pick<Box, "left" | "top"> {
  const wanted = beside(anchor, size, side);
  const isAcross = side === "left" || side === "right";
  const isClipped = isAcross
    ? wanted.left !== within(wanted.left, size.width, view.width)
    : wanted.top !== within(wanted.top, size.height, view.height);
  const { left, top } = isClipped ? beside(anchor, size, opposite[side]) : wanted;
  return { left: within(left, size.width, view.width), top: within(top, size.height, view.height) };
}

function beside(anchor: Box, size: Size, side: TooltipSide): Pick<Box, "left" | "top"> {
  const left = anchor.left + (anchor.width - size.width) / 2;
  const top = anchor.top + (anchor.height - size.height) / 2;
  switch (side) {
    case "top":
      return { left, top: anchor.top - size.height - gapPx };
    case "bottom":
      return { left, top: anchor.top + anchor.height + gapPx };
    case "left":
      return { left: anchor.left - size.width - gapPx, top };
    case "right":
      return { left: anchor.left + anchor.width + gapPx, top };
  }
}

function within(start: number, length: number, space: number): number {
  return Math.max(edgePx, Math.min(start, space - length - edgePx));
}
