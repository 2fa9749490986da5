/** A windowed list corrects its own scroll position while scrolling; twice would overshoot. */
const quietMs = 180;

export function scrollerOf(element: Element): Element {
  for (let outer = element.parentElement; outer; outer = outer.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY)) return outer;
  }
  return document.documentElement;
}

/** The returned function cancels `act`. */
export function whenQuiet(scroller: Element, act: () => void): () => void {
  let timer = setTimeout(act);
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(act, quietMs);
  };
  scroller.addEventListener("scroll", wait, { passive: true });
  return () => {
    clearTimeout(timer);
    scroller.removeEventListener("scroll", wait);
  };
}

interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** In pixels; 0 inside the view. */
export function distanceFrom(view: Span, span: Span): number {
  return Math.max(0, view.top - span.bottom, span.top - view.bottom);
}

export function nearestToView(scroller: Element, candidates: readonly Element[]): Element | null {
  const view = viewOf(scroller);
  let nearest: Element | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = distanceFrom(view, candidate.getBoundingClientRect());
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Keeps visible siblings in place while `act` changes the height of `changed`. */
export function keepPlace(scroller: Element, changed: Element, act: () => void): void {
  const view = viewOf(scroller);
  const siblings = [...(changed.parentElement?.children ?? [])];
  const anchor = siblings.find(
    (sibling) => sibling !== changed && distanceFrom(view, sibling.getBoundingClientRect()) === 0,
  );
  const before = anchor?.getBoundingClientRect().top ?? 0;
  act();
  const moved = (anchor?.getBoundingClientRect().top ?? 0) - before;
  if (moved !== 0) scroller.scrollTop += moved;
}

function viewOf(scroller: Element): Span {
  if (scroller === document.documentElement) return { top: 0, bottom: window.innerHeight };
  return scroller.getBoundingClientRect();
}
