import type { UIMessageChunk } from "ai";
import { createStore, type Store } from "@/app/_ui/store";
import type { GroveMessage, RunWire } from "@/lib/chat/wire/messages";
import { backoffMs, pause } from "./backoff";
import { emptyAnswer, type PlainAnswer, withChunk } from "./plain-answer";
import { followRun, openRunStream } from "./run-stream";

export type ReadRun = Pick<RunWire, "id" | "sessionId" | "part">;

export interface RunState {
  readonly message: GroveMessage | null;
  readonly isPlain: boolean;
  readonly isReconnecting: boolean;
  readonly isEnded: boolean;
}

export interface RunReading {
  readonly state: Store<RunState>;
  readonly retain: () => () => void;
  readonly replay: () => ReadableStream<UIMessageChunk>;
}

/** An interval that looks like writing and leaves time for typing. */
const throttleMs = 90;
/** Strict mode and moved rows release and retain again at once; a row may follow the request by a second. */
const releaseAfterMs = 3_000;

const readings = new Map<string, RunReading>();

/** Readings live outside rows, which a windowed list unmounts. */
export function runReading(run: ReadRun): RunReading {
  const reading = readings.get(keyOf(run)) ?? createReading(run);
  readings.set(keyOf(run), reading);
  return reading;
}

export function keyOf({ id, part }: ReadRun): string {
  return `${id} ${part}`;
}

/** Starts before the row exists, which takes as long as the first words. */
export function readSoon(run: ReadRun): void {
  runReading(run).retain()();
}

const nothing: RunState = { message: null, isPlain: true, isReconnecting: false, isEnded: false };

function createReading(run: ReadRun): RunReading {
  // After a pause an answer continues in the middle of its message.
  const state = createStore({ ...nothing, isPlain: run.part === 0 });
  const log = createChunkLog();
  const controller = new AbortController();
  const show = throttled((answer: PlainAnswer) => {
    state.update((before) => ({ ...before, message: answer.message }));
  });
  let readers = 0;
  let isReading = false;

  async function read(): Promise<void> {
    let answer = emptyAnswer(run.id);
    try {
      for await (const chunk of chunksOf(run, { state, signal: controller.signal })) {
        log.add(chunk);
        const next = withChunk(answer, chunk);
        answer = next ?? answer;
        if (run.part === 0 && isShown(chunk)) show.soon(answer);
        if (!next && state.read().isPlain) state.update((now) => ({ ...now, isPlain: false }));
      }
    } catch {
      // The row reads the stored answer at the end, and that says what went wrong.
    }
    show.now();
    log.end();
    if (!controller.signal.aborted) state.update((now) => ({ ...now, isEnded: true }));
  }

  function release() {
    if (readers > 0 || controller.signal.aborted) return;
    if (readings.get(keyOf(run))?.state === state) readings.delete(keyOf(run));
    controller.abort();
  }

  return {
    state,
    replay: log.replay,
    retain() {
      readers += 1;
      if (!isReading) {
        isReading = true;
        void read();
      }
      return () => {
        readers -= 1;
        setTimeout(release, releaseAfterMs);
      };
    },
  };
}

function isShown({ type }: UIMessageChunk): boolean {
  return type.startsWith("reasoning-") || type === "text-delta" || type === "text-end";
}

function chunksOf(
  run: ReadRun,
  { state, signal }: { readonly state: Store<RunState>; readonly signal: AbortSignal },
): AsyncGenerator<UIMessageChunk, void> {
  return followRun({
    open: (after) => openRunStream(run, { after, signal }),
    pause: (attempt) => pause(backoffMs(attempt), signal),
    signal,
    onReconnecting: (isReconnecting) => {
      if (state.read().isReconnecting !== isReconnecting)
        state.update((before) => ({ ...before, isReconnecting }));
    },
  });
}

interface ChunkLog {
  readonly add: (chunk: UIMessageChunk) => void;
  readonly end: () => void;
  readonly replay: () => ReadableStream<UIMessageChunk>;
}

function createChunkLog(): ChunkLog {
  const chunks: UIMessageChunk[] = [];
  let isEnded = false;
  let next = Promise.withResolvers<void>();
  const wake = () => {
    next.resolve();
    next = Promise.withResolvers();
  };
  return {
    add(chunk) {
      chunks.push(chunk);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    replay() {
      let place = 0;
      return new ReadableStream({
        async pull(controller) {
          while (place === chunks.length && !isEnded) await next.promise;
          const chunk = chunks[place];
          place += 1;
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        },
      });
    },
  };
}

interface Throttled<Value> {
  readonly soon: (value: Value) => void;
  readonly now: () => void;
}

function throttled<Value>(act: (value: Value) => void): Throttled<Value> {
  let waiting: { readonly value: Value } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!waiting) return;
    const { value } = waiting;
    waiting = null;
    act(value);
    timer = setTimeout(now, throttleMs);
  };
  return {
    now,
    soon(value) {
      waiting = { value };
      if (timer === undefined) now();
    },
  };
}
