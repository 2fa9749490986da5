"use client";

import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Kbd } from "./kbd";
import { type TooltipOptions, tooltipOf, tooltipPlace } from "./tooltip";

const openAfterMs = 450;
const skipMs = 200;

interface Tip extends TooltipOptions {
  readonly anchor: HTMLElement;
}

/** A tooltip for each button would be most of the work of rendering a message. */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => followPointer(box, setTip), []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!tip || !element) return;
    const { left, top } = tooltipPlace(
      {
        anchor: tip.anchor.getBoundingClientRect(),
        size: { width: element.offsetWidth, height: element.offsetHeight },
        view: { width: window.innerWidth, height: window.innerHeight },
      },
      tip.side ?? "bottom",
    );
    Object.assign(element.style, { left: `${left}px`, top: `${top}px` });
  }, [tip]);
  if (!tip) return null;
  return (
    <div
      ref={box}
      role="tooltip"
      aria-hidden
      className="pointer-events-none fixed top-0 left-0 z-50 flex max-w-72 animate-appear items-center gap-2 rounded-md bg-ink px-2.5 py-1.5 font-medium text-paper text-xs shadow-float"
    >
      {tip.label}
      {tip.shortcut && <Kbd keys={tip.shortcut} tone="inverse" />}
    </div>
  );
}

function followPointer(
  box: { readonly current: HTMLElement | null },
  onTip: (tip: Tip | null) => void,
): () => void {
  let anchor: HTMLElement | null = null;
  let isOpen = false;
  let closedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true, passive: true } as const;

  function open() {
    if (!anchor?.isConnected) return;
    isOpen = true;
    onTip({ anchor, ...tooltipOf(anchor) });
  }
  function close() {
    clearTimeout(timer);
    if (!isOpen) return;
    isOpen = false;
    closedAt = performance.now();
    onTip(null);
  }
  function approach(next: HTMLElement | null, afterMs: number) {
    if (next === anchor) return;
    close();
    anchor = next;
    if (next) timer = setTimeout(open, afterMs);
  }

  document.addEventListener(
    "pointerover",
    (event) => {
      // A finger has no way to point at something without pressing it.
      if (event.pointerType === "touch" || (isOpen && isOver(box.current, event))) return;
      const isSoon = performance.now() - closedAt < skipMs || isOpen;
      approach(anchorAt(event.target), isSoon ? 0 : openAfterMs);
    },
    options,
  );
  document.addEventListener(
    "focusin",
    ({ target }) => {
      const isByKeyboard = target instanceof Element && target.matches(":focus-visible");
      approach(isByKeyboard ? anchorAt(target) : null, 0);
    },
    options,
  );
  document.addEventListener("focusout", () => approach(null, 0), options);
  document.documentElement.addEventListener("pointerleave", () => approach(null, 0), options);
  for (const type of ["pointerdown", "keydown"]) document.addEventListener(type, close, options);
  document.addEventListener(
    "scroll",
    ({ target }) => target instanceof Node && target.contains(anchor) && close(),
    options,
  );
  return () => {
    listening.abort();
    clearTimeout(timer);
  };
}

function anchorAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-tooltip]") : null;
}

function isOver(box: HTMLElement | null, { clientX, clientY }: PointerEvent): boolean {
  const area = box?.getBoundingClientRect();
  return (
    area !== undefined &&
    clientX >= area.left &&
    clientX <= area.right &&
    clientY >= area.top &&
    clientY <= area.bottom
  );
}
