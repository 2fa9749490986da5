import type { Page } from "@playwright/test";

/** Contents of one frame of the page. */
export interface Frame {
  readonly atMs: number;
  readonly showsGreeting: boolean;
  /** Top of the first question in pixels; `null` while none is visible. */
  readonly questionTop: number | null;
  readonly composerTop: number | null;
}

export interface Recording {
  readonly frames: readonly Frame[];
  /** Elements that moved between two frames without a key press, by text. */
  readonly shifts: readonly string[];
}

declare global {
  interface Window {
    stopRecording: () => Recording;
  }
}

/** Looks at every frame, the first before it resolves, until the function it returns is called. */
export async function recordFrames(page: Page): Promise<() => Promise<Recording>> {
  await page.evaluate(() => {
    const frames: Frame[] = [];
    const shifts: string[] = [];
    const composer = 'form[aria-label="Message"]';
    const isVisible = (element: Element | null | undefined): element is Element =>
      element?.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ?? false;
    const topOf = (element: Element | null | undefined) =>
      isVisible(element) ? element.getBoundingClientRect().top : null;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { sources = [] } = entry as PerformanceEntry & { sources?: { node: Node | null }[] };
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          // The list of chats makes place for the new one.
          if (!element || element.closest("nav")) continue;
          // The composer and its fade leave the middle of the page with the greeting; `composerTop` says that it stays then.
          if (element.closest(composer) || element.querySelector(composer)) continue;
          if (element.tagName === "::before") continue;
          const name = element.getAttribute("aria-label") ?? element.textContent ?? "";
          shifts.push(`${element.tagName} ${name.slice(0, 60)}`);
        }
      }
    });
    observer.observe({ type: "layout-shift" });
    let isRecording = true;
    const look = () => {
      if (!isRecording) return;
      const question = document.querySelector('article[aria-label^="You"] [dir="auto"]');
      frames.push({
        atMs: performance.now(),
        showsGreeting: isVisible(document.querySelector("main > div > h2")),
        questionTop: topOf(question),
        composerTop: topOf(document.querySelector(composer)),
      });
      requestAnimationFrame(look);
    };
    const first = new Promise<void>((done) => {
      requestAnimationFrame(() => {
        look();
        done();
      });
    });
    window.stopRecording = () => {
      isRecording = false;
      observer.disconnect();
      return { frames, shifts };
    };
    return first;
  });
  return () => page.evaluate(() => window.stopRecording());
}
