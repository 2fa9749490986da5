import type { UIMessageChunk } from "ai";
import { apiPath } from "@/app/_api/api-path";
import { pageFetch } from "@/app/_api/page-person";
import type { RunWire, SendResponse, StoredEvent, TogetherChunk } from "@/lib/chat/wire/messages";

export interface AnswerStream {
  readonly chunks: ReadableStream<UIMessageChunk>;
  readonly leave: () => void;
}

/** @param leaving ends the connection. */
export async function readSent(
  response: Response,
  leaving: AbortController,
): Promise<{ readonly response: SendResponse; readonly answer?: AnswerStream }> {
  const isAnswered = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!isAnswered) return { response: await response.json() };
  const events = bodyOf(response).pipeThrough(chunksOfEvents<StoredEvent | UIMessageChunk>());
  const reader = events.getReader();
  const { value: first } = await reader.read();
  reader.releaseLock();
  if (first?.type !== "stored") throw new Error("The message was not confirmed.");
  const { type: _, ...stored } = first;
  const chunks = events as ReadableStream<UIMessageChunk>;
  return { response: stored, answer: { chunks, leave: () => leaving.abort() } };
}

const sentAnswers = new Map<string, AnswerStream>();

/** Pages elsewhere do not read the answer. */
export function offerAnswer(runId: string, answer: AnswerStream): void {
  sentAnswers.set(runId, answer);
  setTimeout(() => takeAnswer(runId)?.leave());
}

function takeAnswer(runId: string): AnswerStream | undefined {
  const answer = sentAnswers.get(runId);
  sentAnswers.delete(runId);
  return answer;
}

type StreamedRun = Pick<RunWire, "id" | "sessionId" | "part">;

interface Opening {
  readonly run: StreamedRun;
  readonly after: number;
  readonly signal: AbortSignal;
  readonly opened: PromiseWithResolvers<ReadableStream<UIMessageChunk> | null>;
}

let waiting: Opening[] = [];

/** A browser has six connections to a host, so runs opened at once share one. */
export function openRunStream(
  run: StreamedRun,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Promise<ReadableStream<UIMessageChunk> | null> {
  const opened = Promise.withResolvers<ReadableStream<UIMessageChunk> | null>();
  // A macrotask would wait until the question is rendered.
  if (waiting.length === 0) queueMicrotask(openWaiting);
  waiting.push({ run, after, signal, opened });
  return opened.promise;
}

function openWaiting(): void {
  const openings = waiting;
  waiting = [];
  for (const group of Map.groupBy(openings, ({ run }) => run.sessionId).values()) {
    const [first] = group;
    if (group.length > 1) void openTogether(group);
    else if (first) openAlone(first).then(first.opened.resolve, first.opened.reject);
  }
}

async function openAlone({
  run: { sessionId, id, part },
  after,
  signal,
}: Opening): Promise<ReadableStream<UIMessageChunk> | null> {
  const sent = after === 0 && part === 0 ? takeAnswer(id) : undefined;
  if (sent) {
    signal.addEventListener("abort", sent.leave, { once: true });
    return sent.chunks;
  }
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/runs/${encodeURIComponent(id)}`;
  const response = await pageFetch(apiPath(`${path}/stream?after=${after}&part=${part}`), {
    signal,
  });
  if (response.status === 404 || response.status === 204) return null;
  return bodyOf(response).pipeThrough(chunksOfEvents<UIMessageChunk>());
}

async function openTogether(group: readonly Opening[]): Promise<void> {
  const reading = new AbortController();
  const sessionId = group[0]?.run.sessionId ?? "";
  const outputs = new Map<string, ReadableStreamDefaultController<UIMessageChunk>>();
  for (const { run, signal } of group) {
    signal.addEventListener("abort", () => {
      outputs.delete(run.id);
      if (group.every((each) => each.signal.aborted)) reading.abort();
    });
  }
  try {
    const runs = group.map(({ run: { id, part }, after }) => ({ id, part, after }));
    const query = new URLSearchParams({ runs: JSON.stringify(runs) });
    const path = `/api/sessions/${encodeURIComponent(sessionId)}/streams?${query}`;
    const body = bodyOf(await pageFetch(apiPath(path), { signal: reading.signal }));
    for (const { run, opened } of group) {
      const start = (controller: ReadableStreamDefaultController<UIMessageChunk>) =>
        void outputs.set(run.id, controller);
      opened.resolve(new ReadableStream({ start, cancel: () => void outputs.delete(run.id) }));
    }
    const reader = body.pipeThrough(chunksOfEvents<TogetherChunk>()).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      const { run, chunk } = next.value;
      if (chunk) outputs.get(run)?.enqueue(chunk);
      else {
        outputs.get(run)?.close();
        outputs.delete(run);
      }
    }
    for (const output of outputs.values()) output.close();
  } catch (error) {
    for (const { opened } of group) opened.reject(error);
    for (const output of outputs.values()) output.error(error);
  }
}

/** @throws with the status, when the response is none of events. */
export function eventsIn<Event>(response: Response): AsyncGenerator<Event, void> {
  return readable(bodyOf(response).pipeThrough(chunksOfEvents<Event>()));
}

function bodyOf(response: Response): ReadableStream<string> {
  if (!response.ok || !response.body) {
    const error = new Error(`The answer cannot be read (${response.status}).`);
    throw Object.assign(error, { statusCode: response.status });
  }
  return response.body.pipeThrough(new TextDecoderStream());
}

function chunksOfEvents<Chunk>(): TransformStream<string, Chunk> {
  let rest = "";
  return new TransformStream({
    transform(text, controller) {
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const data = event.startsWith("data: ") ? event.slice("data: ".length) : "";
        // The server writes every chunk from the same types, so it is trusted here.
        if (data.startsWith("{")) controller.enqueue(JSON.parse(data) as Chunk);
      }
    },
  });
}

interface FollowRunOptions {
  readonly open: (after: number) => Promise<ReadableStream<UIMessageChunk> | null>;
  readonly pause: (attempt: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onReconnecting?: (reconnecting: boolean) => void;
}

/**
 * Streams each chunk once and in order across reconnections, until the final one, an unknown run, or a connection with
 * nothing new.
 */
export async function* followRun(options: FollowRunOptions): AsyncGenerator<UIMessageChunk, void> {
  let received = 0;
  let attempt = 0;
  while (!options.signal.aborted) {
    const before = received;
    let dropped = false;
    try {
      const connection = await options.open(received);
      if (!connection) return;
      options.onReconnecting?.(false);
      for await (const chunk of readable(connection)) {
        received += 1;
        attempt = 0;
        yield chunk;
        if (endsAnswer(chunk)) return;
      }
    } catch (error) {
      if (options.signal.aborted) return;
      if (!isPassing(error)) throw error;
      dropped = true;
    }
    if (!dropped && received === before) return;
    attempt += 1;
    options.onReconnecting?.(true);
    await options.pause(attempt);
  }
}

// Safari has no async iteration over streams.
async function* readable<T>(stream: ReadableStream<T>): AsyncGenerator<T, void> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function endsAnswer(chunk: UIMessageChunk): boolean {
  return chunk.type === "finish" || chunk.type === "abort" || chunk.type === "error";
}

function isPassing(error: unknown): boolean {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status !== "number" || status >= 500 || status === 408 || status === 429;
}
