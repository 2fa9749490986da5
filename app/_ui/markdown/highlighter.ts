import { type ColouredCode, colourLines } from "./colour-lines";
import { whenIdle } from "./when-idle";

/** Longer code is shown in one colour: highlighting it would hold up the page. */
const MAX_HIGHLIGHTED_LENGTH = 12_000;
/** No further line or pattern is begun after this long. */
const SLICE_MS = 8;
/** Colours are shown so many characters at a time: each time React compares all lines. */
const STEP_LENGTH = 1_200;

type Grammars = typeof import("./grammars");
let grammars: Promise<Grammars> | null = null;

export interface HighlightRequest {
  readonly code: string;
  readonly language: string;
  /** Colours of a beginning of the code, which need not be found again. */
  readonly known: ColouredCode | null;
}

export interface HighlightOptions {
  readonly signal: AbortSignal;
  /** Called with ever longer beginnings, at last with the whole. */
  readonly onColoured: (coloured: ColouredCode) => void;
}

/** Fetches the highlighter before the first code needs it. Settles also when it cannot be fetched. */
export async function preloadHighlighter(): Promise<void> {
  await load().catch(() => null);
}

/**
 * Colours `code` from its beginning on, a little whenever the page has nothing else to do; the highlighter and the
 * grammar of the language are fetched when they are first needed. Nothing happens when the language is unknown, the code
 * is too long, or the highlighter cannot be fetched.
 */
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
    // Asked for again by the next code.
    grammars = null;
    throw error;
  }
}

/** What has its colours after a slice of work; `null` at the end and when called off. */
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
