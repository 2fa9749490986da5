import { percentile } from "./interleave";

/** Browsers do not report shorter key presses. */
const shortestReportedMs = 16;

export const liveTranscript = ".transcript:not([aria-busy=true])";

/** Times are in milliseconds. */
export interface PageNotes {
  readonly longTasks: readonly number[];
  /** Time to paint, rounded to 8 by the browser. */
  readonly keys: readonly number[];
  readonly shift: number;
  readonly largestPaintMs: number;
  readonly firstMessageMs: number;
  readonly liveMs: number;
}

/** `noted` holds only slow ones of the `pressed` keys. */
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

/** Runs before the page's scripts and records in `window.pageNotes`. */
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

export const lastWord = "endofthetext";

export const hardTexts: Readonly<Record<string, string>> = {
  "100 KB of `**a**`": ended("**a**".repeat(20_000)),
  "10,000 `>`": ended(">".repeat(10_000)),
  "a table of 3,000 rows": ended(
    `| a | b | c |\n|---|---|---|\n${"| one | two | three |\n".repeat(3_000)}`,
  ),
  "an unclosed fence of 100 KB": ended(`\`\`\`js\n${"const x = [1, 2, 3];\n".repeat(5_000)}`),
  "300 formulas": ended(
    "A formula $$\\frac{a_1}{b^2} + \\sum_{i=0}^{n} x_i$$ and words.\n\n".repeat(300),
  ),
  "300 lines of code": ended(
    `\`\`\`ts\n${"export const name = (value: string) => value.length + 1; // why\n".repeat(300)}\`\`\`\n`,
  ),
};

function ended(text: string): string {
  return `${text}\n\n${lastWord}`;
}

/** An answer of prose with what most answers have: a heading, a list, code, a table. */
export function formattedText(n: number, words: string): string {
  const list = "- a first **point**\n- a second with `code`\n- a [link](https://example.org)";
  const code =
    "```ts\nexport const sum = (a: number, b: number) => a + b;\nconsole.info(sum(1, 2));\n```";
  const table = "| name | value |\n|---|---|\n| one | 1 |\n| two | 2 |";
  const [extra = ""] = [list, code, table, "> quoted words", ""].slice(n % 5);
  return `## Part ${n}\n\n${words}\n\n${extra}\n\nAnd so it ends.`;
}

export function wordOfAnswer(n: number): string {
  const place = n % 120;
  if (place === 0) return "\n\n## Heading\n\n";
  if (place === 30) return "\n\n- first **point**\n- second `point`\n\n";
  if (place === 60) return "\n\n```ts\nconst a = 1;\nconst b = [a, 2, 3];\n```\n\n";
  if (place === 90) return "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n";
  return `word${n} `;
}
