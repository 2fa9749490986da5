import { percentile } from "./interleave";

/** Shorter key presses are not reported by browsers; each counts as this long. */
const shortestReportedMs = 16;

/** The conversation once the page's scripts have taken it over from what the server sent. */
export const liveTranscript = ".transcript:not([aria-busy=true])";

/** What a page noted about itself, in milliseconds. */
export interface PageNotes {
  readonly longTasks: readonly number[];
  /** From a key press to the paint that shows it, rounded to 8 by the browser. */
  readonly keys: readonly number[];
  /** Sum of the shifts within the conversation; also of those right after a key press, for typing must move nothing there. */
  readonly shift: number;
  readonly largestPaintMs: number;
  readonly firstMessageMs: number;
  /** When the messages were first painted by the page's own scripts, so that they can be acted on. */
  readonly liveMs: number;
}

/** The 95th percentile over `pressed` keys, of which only the slow ones were noted. */
export function keyPressP95(noted: readonly number[], pressed: number): number {
  const unnoted = Array.from(
    { length: Math.max(0, pressed - noted.length) },
    () => shortestReportedMs,
  );
  return percentile([...noted, ...unnoted], 0.95);
}

export function longest(tasks: readonly number[]): number {
  return Math.max(0, ...tasks);
}

/** Runs in the page before anything else and notes in `window.pageNotes` what the browser tells. */
export const noteScript = `(() => {
  const notes = { longTasks: [], keys: [], shift: 0, largestPaintMs: 0, firstMessageMs: 0, liveMs: 0 };
  window.pageNotes = notes;
  const on = (type, take, options) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options });
  on("longtask", (entry) => notes.longTasks.push(entry.duration));
  on("event", (entry) => { if (entry.name === "keydown") notes.keys.push(entry.duration); }, { durationThreshold: 16 });
  on("largest-contentful-paint", (entry) => { notes.largestPaintMs = entry.startTime; });
  on("layout-shift", (entry) => {
    const isInside = entry.sources.some(({ node }) => (node instanceof Element ? node : node?.parentElement)?.closest(".transcript"));
    if (isInside) notes.shift += entry.value;
  });
  const note = (name, selector) => {
    const article = document.querySelector(selector + " article");
    if (!article || !article.checkVisibility({ visibilityProperty: true })) return requestAnimationFrame(() => note(name, selector));
    requestAnimationFrame(() => { notes[name] = performance.now(); });
  };
  requestAnimationFrame(() => note("firstMessageMs", ".transcript"));
  requestAnimationFrame(() => note("liveMs", "${liveTranscript}"));
})()`;
