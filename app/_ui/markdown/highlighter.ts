import { type ColouredCode, colourLines } from "./colour-lines";

/** Longer code would block the page. */
const MAX_HIGHLIGHTED_LENGTH = 12_000;
const SLICE_MS = 8;
/** Updates are batched, because React compares all lines each time. */
const STEP_LENGTH = 1_200;

type Grammars = typeof import("./grammars");
let grammars: Promise<Grammars> | null = null;

export interface HighlightRequest {
  readonly code: string;
  readonly language: string;
  readonly known: ColouredCode | null;
}

export interface HighlightOptions {
  readonly signal: AbortSignal;
  readonly onColoured: (coloured: ColouredCode) => void;
}

export async function highlight(
  { code, language, known }: HighlightRequest,
  { signal, onColoured }: HighlightOptions,
): Promise<void> {
  if (language === "" || code === "" || code.length > MAX_HIGHLIGHTED_LENGTH) return;
  const grammar = await load()
    .then(({ grammarOf }) => grammarOf(language))
    .catch(() => null);
  if (!grammar) return;
  const steps = colourLines(code, { grammar, known });
  let shown = known?.source.length ?? 0;
  for (let done = await slice(steps, signal); done; done = await slice(steps, signal)) {
    const isWhole = done.source.length === code.length;
    if (!isWhole && done.source.length < shown + STEP_LENGTH) continue;
    shown = done.source.length;
    onColoured(done);
  }
}

async function load(): Promise<Grammars> {
  grammars ??= import("./grammars");
  try {
    return await grammars;
  } catch (error) {
    grammars = null;
    throw error;
  }
}

async function slice(
  steps: Generator<ColouredCode, void>,
  signal: AbortSignal,
): Promise<ColouredCode | null> {
  await whenIdle();
  const startedAt = performance.now();
  let done: ColouredCode | null = null;
  while (!signal.aborted) {
    const { value } = steps.next();
    if (!value) return done;
    done = value;
    if (performance.now() - startedAt > SLICE_MS) return done;
  }
  return null;
}

const longestWaitMs = 300;

function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no idle callbacks.
    if (typeof requestIdleCallback === "undefined") setTimeout(resolve);
    else requestIdleCallback(() => resolve(), { timeout: longestWaitMs });
  });
}
