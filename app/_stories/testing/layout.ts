import type { DOMWindow } from "jsdom";
import { styleOf } from "./styles";

/** Height of each row of a list: without a layout, a long list would show none. */
const rowHeight = 40;
const windowHeight = 4_000;

export interface Screen {
  width: number;
  height: number;
}

/** The default size of a page in Playwright. */
export const desktop: Screen = { width: 1280, height: 720 };

/** Adds what a browser has and a DOM without layout has not. */
export function addLayout(window: DOMWindow): void {
  const { HTMLElement, Element } = window;
  Object.assign(window, {
    innerWidth: desktop.width,
    innerHeight: desktop.height,
    CSS: { supports: () => true, highlights: new Map() },
    Highlight: class Highlight extends Set<AbstractRange> {
      constructor(...ranges: AbstractRange[]) {
        super(ranges);
      }
    },
    matchMedia: (query: string) => mediaQuery(window, query),
    ResizeObserver: resizeObserverOf(),
    requestIdleCallback: (act: () => void) => window.setTimeout(act, 0),
    cancelIdleCallback: (id: number) => window.clearTimeout(id),
    scrollTo: () => undefined,
    getComputedStyle: (element: Element) => styleOf(element, window.innerWidth),
  });
  acceptSignals(window.EventTarget.prototype);
  define(HTMLElement.prototype, {
    offsetParent: { get: parentOf },
    offsetHeight: { get: heightOf },
    clientHeight: { get: heightOf },
    offsetWidth: { get: () => desktop.width },
    clientWidth: { get: () => desktop.width },
    innerText: { get: textOf },
  });
  define(Element.prototype, {
    scrollIntoView: { value: () => undefined },
    scrollTo: { value: () => undefined },
    scrollBy: { value: () => undefined },
    getAnimations: { value: () => [] },
    hasPointerCapture: { value: () => false },
    setPointerCapture: { value: () => undefined },
    releasePointerCapture: { value: () => undefined },
  });
}

/** A DOM knows its own signals alone, and those of Node are what everything else is made for. */
function acceptSignals(prototype: EventTarget): void {
  const { addEventListener } = prototype;
  prototype.addEventListener = function (
    this: EventTarget,
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: AddEventListenerOptions | boolean,
  ) {
    if (typeof options !== "object" || !options.signal)
      return addEventListener.call(this, type, listener, options);
    const { signal, ...others } = options;
    addEventListener.call(this, type, listener, others);
    signal.addEventListener("abort", () => this.removeEventListener(type, listener, others));
  };
}

function define(prototype: object, properties: PropertyDescriptorMap): void {
  for (const [name, property] of Object.entries(properties))
    Object.defineProperty(prototype, name, { configurable: true, ...property });
}

function parentOf(this: HTMLElement) {
  return this.parentElement;
}

function textOf(this: HTMLElement) {
  return this.textContent;
}

function heightOf(this: HTMLElement) {
  return /auto|scroll/.test(this.style.overflowY + this.style.overflow) ? windowHeight : rowHeight;
}

export function resizeScreen({ width, height }: Screen): void {
  const { defaultView } = document;
  Object.assign(defaultView ?? {}, { innerWidth: width, innerHeight: height });
  defaultView?.dispatchEvent(new Event("resize"));
}

function mediaQuery(window: DOMWindow, media: string) {
  return {
    media,
    get matches() {
      return matches(media, window.innerWidth);
    },
    addEventListener: (_: "change", listener: () => void) =>
      window.addEventListener("resize", listener),
    removeEventListener: (_: "change", listener: () => void) =>
      window.removeEventListener("resize", listener),
  };
}

const rem = 16;

function matches(media: string, width: number): boolean {
  const least = /\(min-width: ([\d.]+)(px|rem)\)/.exec(media);
  if (least) return width >= Number(least[1]) * (least[2] === "rem" ? rem : 1);
  return media === "(pointer: fine)";
}

function resizeObserverOf() {
  return class ResizeObserver {
    readonly #notify: (entries: readonly object[], observer: object) => void;

    constructor(notify: (entries: readonly object[], observer: object) => void) {
      this.#notify = notify;
    }

    observe(target: HTMLElement) {
      queueMicrotask(() => {
        const { offsetWidth: width, offsetHeight: height } = target;
        const size = { width, height, top: 0, left: 0, right: width, bottom: height };
        this.#notify([{ target, contentRect: size }], this);
      });
    }

    unobserve() {}

    disconnect() {}
  };
}
