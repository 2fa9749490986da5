import { setImmediate } from "node:timers/promises";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ProviderFaultError, providerRefusal } from "@/lib/llm/provider-fault";
import { isNestedTooDeeply } from "@/lib/session/internal";
import type { AnswerReader, Event, ReadCall } from "./answer-reader";
import { looseJson } from "./loose-json";
import { inWords, providerWords } from "./provider-words";

type Bytes = Uint8Array<ArrayBuffer>;

/** A server may leave the connection open after its answer. */
const lastWordsMs = 1_000;
const longestStray = 2_000;

/**
 * Returns `body` as an event stream that `reader` has repaired. A body of JSON is read whole before, or line by line.
 *
 * @throws {ProviderFaultError} for JSON that is no answer.
 */
export async function readBody(
  body: ReadableStream<Bytes>,
  reader: AnswerReader,
  call: Pick<ReadCall, "refusal">,
): Promise<ReadableStream<Bytes>> {
  const source = new BodySource(body.getReader(), reader, call);
  await source.begin();
  const encoder = new TextEncoder();
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const events = await source.next();
        if (events === null) return controller.close();
        controller.enqueue(encoder.encode(events.map(written).join("")));
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function written(event: Event): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

class BodySource {
  readonly #body: ReadableStreamDefaultReader<Bytes>;
  readonly #reader: AnswerReader;
  readonly #call: Pick<ReadCall, "refusal">;
  readonly #decoder = new TextDecoder();
  readonly #messages: Pick<EventSourceMessage, "data" | "event">[] = [];
  #stray = "";
  #early: Event[] = [];
  #isOver = false;
  readonly #parser = createParser({
    onEvent: (message) => void this.#messages.push(message),
    onError: ({ line }) => {
      if (line !== undefined && this.#stray.length < longestStray) this.#stray += `${line}\n`;
    },
  });

  constructor(
    body: ReadableStreamDefaultReader<Bytes>,
    reader: AnswerReader,
    call: Pick<ReadCall, "refusal">,
  ) {
    this.#body = body;
    this.#reader = reader;
    this.#call = call;
  }

  /** Reads up to the first sign that is not a space, and all of a body of JSON. */
  async begin(): Promise<void> {
    let text = "";
    while (text.trim() === "") {
      const more = await this.#more();
      if (more === null) break;
      text += more;
    }
    const start = text.trimStart().replace(/^\ufeff\s*/, "");
    if (start.startsWith("{") || start.startsWith("[")) await this.#readJson(start);
    else this.#parser.feed(text);
  }

  /** `null` after the last. Never empty. */
  async next(): Promise<readonly Event[] | null> {
    for (;;) {
      const events = [...this.#early, ...this.#taken()];
      this.#early = [];
      if (events.length > 0) return events;
      if (this.#isOver) return null;
      const text = await this.#more();
      if (text !== null) this.#parser.feed(text);
      else this.#early = await this.#ended();
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#isOver = true;
    await this.#body.cancel(reason);
  }

  /** `null` at the end of the body, which a server may keep open for long. */
  async #more(): Promise<string | null> {
    const reading = this.#body.read();
    const { done, value } = this.#reader.isOver ? await soon(reading) : await reading;
    if (!done) return this.#decoder.decode(value, { stream: true });
    if (this.#reader.isOver) this.#body.cancel().catch(() => undefined);
    return null;
  }

  #taken(): Event[] {
    const events: Event[] = [];
    for (const { data, event } of this.#messages.splice(0)) {
      const value = parsed(data);
      const isRead = value !== undefined && typeof value !== "string";
      const read = isRead ? [value] : this.#repaired(data, event);
      for (const each of read) events.push(...this.#reader.read(each, event));
    }
    return events;
  }

  /** The values in an event that is no JSON, or one text, such as an end in quotes. */
  #repaired(data: string, name: string | undefined): readonly unknown[] {
    const text = withoutPrefix(data);
    if (isDone(text)) {
      this.#reader.finish();
      return [];
    }
    const value = parsed(text);
    if (text === "" || value !== undefined) return text === "" ? [] : [value];
    const lines = text
      .split("\n")
      .map(withoutPrefix)
      .filter((line) => line !== "");
    const values = lines.map(parsed);
    if (lines.length > 1 && !values.includes(undefined)) return values;
    if (/^[[{]/.test(text)) return looseJson(text);
    if (name === "error") this.#call.refusal ??= inWords(text);
    if (this.#stray.length < longestStray) this.#stray += `${text}\n`;
    return [];
  }

  async #ended(): Promise<Event[]> {
    // The last event may lack its empty line.
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
    const last = this.#taken();
    this.#isOver = true;
    const words = this.#reader.hasWords || this.#reader.isOver ? "" : providerWords(this.#stray);
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

function noAnswer(refusal: string | null): ProviderFaultError {
  return refusal === null
    ? new ProviderFaultError(
        "json",
        "The provider answered with JSON that holds no answer. Check its base URL in Settings → Models and keys.",
      )
    : providerRefusal(refusal);
}

const longestUnchecked = 4_000;

/** `undefined` for text that is no JSON, or is nested so deeply that a reader would run out of stack. */
function parsed(text: string): unknown {
  if (text.length > longestUnchecked && isNestedTooDeeply(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some proxies write the name of the field twice. */
function withoutPrefix(data: string): string {
  return data.replace(/^\s*(?:data:\s*)*/, "").trimEnd();
}

function isDone(data: string): boolean {
  return data.length < 20 && /^["'[\s]*done["'\]\s]*$/i.test(data);
}

async function soon<Value>(
  reading: Promise<ReadableStreamReadResult<Value>>,
): Promise<ReadableStreamReadResult<Value>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ReadableStreamReadResult<Value>>((resolve) => {
    timer = setTimeout(async () => {
      await afterArrivals();
      resolve({ done: true, value: undefined });
    }, lastWordsMs);
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

const turns = 5;

/** Resolves behind bytes that arrived while the process was busy, which timers overtake. */
async function afterArrivals(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await setImmediate();
}
