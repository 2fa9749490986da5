import { setImmediate } from "node:timers/promises";
import { ProviderFaultError, providerRefusal } from "@/lib/llm/provider-fault";
import { type Source, sourceOf, streamOf } from "@/lib/llm/transform-stream";
import { isNestedTooDeeply } from "@/lib/text/json-depth";
import type { AnswerReader, Event, ReadCall } from "./answer-reader";
import { EventLines } from "./event-lines";
import { looseJson } from "./loose-json";
import { inWords, providerWords } from "./provider-words";

type Bytes = Uint8Array<ArrayBuffer>;

/** A server may leave the connection open, and an uncertain end may be followed by more text. */
const lastWordsMs = { surely: 1_000, maybe: 10_000 } as const;

/** @throws {ProviderFaultError} for JSON that is no answer. */
export async function readBody(
  body: ReadableStream<Bytes>,
  reader: AnswerReader,
  call: Pick<ReadCall, "refusal">,
): Promise<ReadableStream<Bytes>> {
  const source = new BodySource(sourceOf(body), reader, call);
  await source.begin();
  const encoder = new TextEncoder();
  return streamOf<Bytes>({
    async read() {
      const events = await source.next();
      return events === null
        ? { done: true, value: undefined }
        : { done: false, value: encoder.encode(written(events)) };
    },
    cancel: (reason) => source.cancel(reason),
  });
}

function written(events: readonly Event[]): string {
  let text = "";
  for (const event of events) text += `data: ${JSON.stringify(event)}\n\n`;
  return text;
}

class BodySource {
  readonly #body: Source<Bytes>;
  readonly #reader: AnswerReader;
  readonly #call: Pick<ReadCall, "refusal">;
  readonly #decoder = new TextDecoder();
  readonly #lines = new EventLines(parsed);
  #early: Event[] = [];
  #isOver = false;
  #readAt = 0;

  constructor(body: Source<Bytes>, reader: AnswerReader, call: Pick<ReadCall, "refusal">) {
    this.#body = body;
    this.#reader = reader;
    this.#call = call;
  }

  async begin(): Promise<void> {
    let text = "";
    while (text.trim() === "") {
      const more = await this.#more();
      if (more === null) break;
      text += more;
    }
    const start = text.trimStart().replace(/^\ufeff\s*/, "");
    if (start.startsWith("{") || start.startsWith("[")) await this.#readJson(start);
    else this.#lines.feed(text);
  }

  async next(): Promise<readonly Event[] | null> {
    for (;;) {
      const events = this.#early.length > 0 ? this.#early.splice(0) : this.#taken();
      if (events.length > 0) return events;
      if (this.#isOver) return null;
      const text = await this.#more();
      if (text !== null) this.#lines.feed(text);
      else this.#early = this.#ended();
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#isOver = true;
    await this.#body.cancel(reason);
  }

  /** `null` at the end of the body, which a server may keep open for long. */
  async #more(): Promise<string | null> {
    const reading = this.#body.read();
    const { over } = this.#reader;
    const { done, value } =
      over === "no"
        ? await reading
        : await soon(reading, this.#readAt + lastWordsMs[over] - performance.now());
    if (!done) return this.#decoder.decode(value, { stream: true });
    if (over !== "no") this.#body.cancel().catch(() => undefined);
    return null;
  }

  #taken(): Event[] {
    const events: Event[] = [];
    const { over } = this.#reader;
    for (const each of this.#lines.taken()) {
      const values = "value" in each ? [each.value] : this.#repaired(each.text, each.name);
      for (const value of values) events.push(...this.#reader.read(value, each.name));
    }
    if (events.length > 0 || this.#reader.over !== over) this.#readAt = performance.now();
    return events;
  }

  #repaired(data: string, name: string | undefined): readonly unknown[] {
    const text = withoutPrefix(data);
    if (text === "") return [];
    if (isDone(text)) {
      this.#reader.finish();
      return [];
    }
    const value = parsed(text);
    if (value !== undefined) return [value];
    const lines = text.split("\n").map(withoutPrefix);
    const isWhole = (line: string) => line.startsWith("{") && parsed(line) !== undefined;
    if (lines.length > 1 && lines.some(isWhole))
      return runsOf(lines, isWhole).flatMap((run) => this.#repaired(run, name));
    if (/^[[{]/.test(text)) return looseJson(text);
    if (name === "error") this.#call.refusal ??= inWords(text);
    this.#lines.noteStray(text);
    return [];
  }

  #ended(): Event[] {
    this.#lines.feed(this.#decoder.decode());
    this.#lines.end();
    const last = this.#taken();
    this.#isOver = true;
    const isRead = this.#reader.hasWords || this.#reader.over !== "no";
    const words = isRead ? "" : providerWords(this.#lines.stray);
    const refusal = this.#call.refusal ?? (words === "" ? null : inWords(words));
    return [...last, ...(refusal ? [this.#reader.refuse(refusal)] : this.#reader.end())];
  }

  async #readJson(start: string): Promise<void> {
    let text = start;
    for (let more = await this.#more(); more !== null; more = await this.#more()) text += more;
    const whole = parsed(text);
    const values = whole === undefined ? looseJson(text) : [whole];
    const events = values.flat().flatMap((value) => this.#reader.read(value));
    if (!this.#reader.hasWords) throw noAnswer(this.#call.refusal?.message ?? null);
    if (whole !== undefined) this.#reader.finish();
    const { refusal } = this.#call;
    this.#early = [...events, ...(refusal ? [this.#reader.refuse(refusal)] : this.#reader.end())];
    this.#isOver = true;
  }
}

function runsOf(lines: readonly string[], isWhole: (line: string) => boolean): string[] {
  const runs: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const isAlone = isWhole(line) || isDone(line);
    if (isAlone || !isOpen) runs.push(line);
    else runs.push(`${runs.pop()}\n${line}`);
    isOpen = !isAlone;
  }
  return runs;
}

function noAnswer(refusal: string | null): ProviderFaultError {
  return refusal === null
    ? new ProviderFaultError(
        "json",
        "The provider answered with JSON that holds no answer. Check its base URL in Settings → Models.",
      )
    : providerRefusal(refusal);
}

const longestUnchecked = 4_000;

/** `undefined` for text that is no JSON, or too deeply nested. */
function parsed(text: string): unknown {
  if (text.length > longestUnchecked && isNestedTooDeeply(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withoutPrefix(data: string): string {
  return data.replace(/^\s*(?:data:\s*)*/, "").trimEnd();
}

function isDone(data: string): boolean {
  return data.length < 20 && /^["'[\s]*done["'\]\s]*$/i.test(data);
}

async function soon<Value>(
  reading: Promise<ReadableStreamReadResult<Value>>,
  ms: number,
): Promise<ReadableStreamReadResult<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ReadableStreamReadResult<Value>>((resolve) => {
    const end = async () => {
      await afterArrivals();
      resolve({ done: true, value: undefined });
    };
    timer = setTimeout(end, Math.max(0, ms));
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

const turns = 5;

/** Timers overtake bytes that arrived while the process was busy. */
async function afterArrivals(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}
