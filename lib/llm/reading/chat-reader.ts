import { type AnswerReader, type Event, type ReadCall, unnamedTool } from "./answer-reader";
import { Ends } from "./ends";
import { newMark, picturesIn, pictureText } from "./pictures";
import { errorIn } from "./provider-words";
import {
  countOf,
  fieldsOf,
  firstText,
  given,
  isFields,
  itemsOf,
  type JsonFields,
  jsonOf,
  partOfCount,
  textOf,
} from "./read-values";

/**
 * @param options.dropsThoughts true where the package knows no thoughts in this protocol.
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export function chatReader(call: ReadCall, { dropsThoughts = false } = {}): AnswerReader {
  const calls = new CallPlaces();
  const head = new Head();
  let usage: JsonFields | undefined;
  let finish: string | undefined;
  let isFinished = false;
  let hasWords = false;
  const ends = new Ends();

  const chunk = (delta: JsonFields): Event => ({
    ...head.unsent(),
    choices: [
      { index: 0, delta: dropsThoughts ? withMarks(delta, call) : delta, finish_reason: null },
    ],
  });

  return {
    read(event) {
      if (!isFields(event)) return [];
      const said = errorIn(event);
      if (said) {
        call.refusal ??= said;
        return [];
      }
      head.note(event);
      const text = plainText(event);
      if (text !== null) {
        hasWords = true;
        ends.note(wordsAlone);
        return [chunk({ content: text })];
      }
      const choice = fieldsOf(itemsOf(event.choices).find(isFields) ?? event.choice);
      const reported = [event.usage, choice.usage, fieldsOf(event.x_groq).usage].find(isFields);
      usage = reported ? usageOf(reported, call) : usage;
      const reason = firstText(choice.finish_reason, choice.stop_reason);
      finish = worse(finish, reason);
      const whole = hasWords ? {} : fieldsOf(choice.message);
      const message = isFields(choice.delta) ? choice.delta : { content: choice.text, ...whole };
      const deltas = deltasOf(message, { calls, files: call.files });
      hasWords ||= deltas.length > 0;
      ends.note({ words: deltas.length > 0, reason: reason !== undefined });
      return deltas.map(chunk);
    },
    finish: () => {
      isFinished = true;
    },
    end() {
      const rest = calls.unnamed().map((each) => chunk({ tool_calls: [each] }));
      if (finish === undefined && !isFinished)
        return usage ? [...rest, { ...head.unsent(), choices: [], usage }] : [];
      call.end = finish ?? "";
      const reason = finish ?? (calls.count > 0 ? "tool_calls" : "stop");
      const last = { ...head.unsent(), choices: [{ index: 0, delta: {}, finish_reason: reason }] };
      return [...rest, usage ? { ...last, usage } : last];
    },
    refuse: ({ message, type, code }) => ({
      error: { message, type: type ?? null, code: code ?? null },
    }),
    get over() {
      return call.refusal !== null || isFinished ? "surely" : ends.state;
    },
    get hasWords() {
      return hasWords;
    },
  };
}

function withMarks(delta: JsonFields, { thoughts }: ReadCall): JsonFields {
  const { reasoning_content: thought } = delta;
  if (typeof thought !== "string") return delta;
  const content = newMark();
  thoughts.set(content, thought);
  return { content };
}

const wordsAlone = { words: true, reason: false };

function plainText({ choices, usage, x_groq }: JsonFields): string | null {
  if (!Array.isArray(choices) || choices.length !== 1 || usage || x_groq) return null;
  const { delta, finish_reason, stop_reason, usage: own } = fieldsOf(choices[0]);
  if (!isFields(delta) || own) return null;
  if ((finish_reason ?? stop_reason ?? null) !== null) return null;
  const { content, role: _, ...others } = delta;
  for (const name of Object.keys(others)) if (others[name] !== null) return null;
  return typeof content === "string" && content !== "" ? content : null;
}

class Head {
  #sent: JsonFields = {};
  #next: JsonFields | null = null;

  note({ id, created, model }: JsonFields): void {
    const sent = this.#next ?? this.#sent;
    if (id === sent.id && created === sent.created && model === sent.model) return;
    const isTime = typeof created === "number" && Number.isSafeInteger(created);
    this.#next = {
      ...sent,
      ...given({
        id: firstText(id),
        created: isTime && Math.abs(created) < 1e11 ? created : undefined,
        model: firstText(model),
      }),
    };
  }

  unsent(): JsonFields {
    const unsent = this.#next;
    if (unsent === null) return none;
    this.#sent = unsent;
    this.#next = null;
    return unsent;
  }
}

const none: JsonFields = {};

function worse(before: string | undefined, now: string | undefined): string | undefined {
  if (before === undefined) return now;
  return now === undefined || /length|filter|error|max_?tokens/i.test(before) ? before : now;
}

function usageOf(usage: JsonFields, call: ReadCall): JsonFields {
  const prompt = countOf(usage.prompt_tokens ?? usage.input_tokens);
  const completion = countOf(usage.completion_tokens ?? usage.output_tokens);
  call.reported.input = prompt !== undefined;
  call.reported.output = completion !== undefined;
  const sent = fieldsOf(usage.prompt_tokens_details);
  const written = fieldsOf(usage.completion_tokens_details);
  const cached = partOfCount(sent.cached_tokens, prompt);
  return given({
    prompt_tokens: prompt,
    completion_tokens: completion,
    prompt_tokens_details: given({
      cached_tokens: cached,
      cache_write_tokens: partOfCount(sent.cache_write_tokens, (prompt ?? 0) - (cached ?? 0)),
    }),
    completion_tokens_details: given({
      reasoning_tokens: partOfCount(written.reasoning_tokens, completion),
    }),
  });
}

interface Places {
  readonly calls: CallPlaces;
  readonly files: ReadCall["files"];
}

function deltasOf(message: JsonFields, { calls, files }: Places): JsonFields[] {
  const deltas: JsonFields[] = [];
  const thought = reasoningIn(message);
  if (thought !== "") deltas.push({ reasoning_content: thought });
  for (const part of itemsOf(message.content)) deltas.push(...contentDeltas(part, files));
  for (const picture of picturesIn(message)) deltas.push(...pictureDeltas(picture, files));
  const refusal = firstText(message.refusal);
  if (refusal !== undefined && message.refusal === refusal) deltas.push({ refusal });
  const old = isFields(message.function_call)
    ? [{ index: 0, function: message.function_call }]
    : [];
  for (const each of [...itemsOf(message.tool_calls), ...old]) {
    const placed = calls.place(fieldsOf(each));
    if (placed) deltas.push({ tool_calls: [placed] });
  }
  const sources = itemsOf(message.annotations).flatMap(citationOf);
  if (sources.length > 0) deltas.push({ annotations: sources });
  return deltas;
}

function reasoningIn({
  reasoning_content,
  reasoning,
  reasoning_details,
  thinking,
}: JsonFields): string {
  for (const each of [reasoning_content, reasoning, thinking]) {
    const text = wordsOf(each);
    if (text !== "") return text;
  }
  return itemsOf(reasoning_details).map(wordsOf).join("");
}

function wordsOf(value: unknown): string {
  const text = textOf(value);
  if (text !== undefined) return text;
  if (Array.isArray(value)) return value.map(wordsOf).join("");
  const { text: inner, content, summary, thinking } = fieldsOf(value);
  return inner === undefined &&
    content === undefined &&
    summary === undefined &&
    thinking === undefined
    ? ""
    : wordsOf(inner ?? content ?? summary ?? thinking);
}

function contentDeltas(part: unknown, files: ReadCall["files"]): JsonFields[] {
  const { type, thinking } = fieldsOf(part);
  const isThought = type === "thinking" || type === "reasoning" || thinking !== undefined;
  const text = wordsOf(part);
  if (text !== "") return [isThought ? { reasoning_content: text } : { content: text }];
  return isFields(part) ? pictureDeltas(part, files) : [];
}

function pictureDeltas(picture: unknown, files: ReadCall["files"]): JsonFields[] {
  const content = pictureText(picture, files);
  return content === null ? [] : [{ content }];
}

function citationOf(annotation: unknown): JsonFields[] {
  const { url_citation } = fieldsOf(annotation);
  const { url, title } = fieldsOf(url_citation);
  if (typeof url !== "string") return [];
  const cited = { start_index: 0, end_index: 0, url, title: firstText(title) ?? url };
  return [{ type: "url_citation", url_citation: cited }];
}

/** Some servers send no index for a call, or one for all. */
class CallPlaces {
  readonly #ids = new Map<number, string | undefined>();
  readonly #named = new Map<number, string>();
  readonly #waiting = new Map<number, { id: string | undefined; arguments: string }>();
  #last = -1;

  get count(): number {
    return this.#ids.size;
  }

  place(delta: JsonFields): JsonFields | null {
    const asked = fieldsOf(delta.function);
    const id = firstText(delta.id);
    const name = firstText(asked.name, isFields(delta.function) ? undefined : delta.name);
    const input = jsonOf(
      asked.arguments ?? (isFields(delta.function) ? undefined : delta.arguments),
    );
    if (id === undefined && name === undefined && input === undefined) return null;
    const index = this.#indexOf(countOf(delta.index), { id, name });
    this.#last = index;
    this.#ids.set(index, this.#ids.get(index) ?? id);
    const before = this.#waiting.get(index);
    if (name === undefined && !this.#named.has(index)) {
      const all = (before?.arguments ?? "") + (input ?? "");
      this.#waiting.set(index, { id: before?.id ?? id, arguments: all });
      return null;
    }
    this.#waiting.delete(index);
    const isFirst = !this.#named.has(index);
    if (name !== undefined && isFirst) this.#named.set(index, name);
    return {
      index,
      // A later delta may repeat another call's id.
      ...(isFirst && given({ id: this.#ids.get(index) })),
      type: "function",
      function: given({
        name: isFirst ? name : undefined,
        arguments: (before?.arguments ?? "") + (input ?? ""),
      }),
      ...signatureOf(delta),
    };
  }

  unnamed(): JsonFields[] {
    const all = [...this.#waiting].map(([index, { id, arguments: input }]) => ({
      index,
      ...given({ id }),
      type: "function",
      function: { name: unnamedTool, arguments: input },
    }));
    this.#waiting.clear();
    return all;
  }

  #indexOf(
    index: number | undefined,
    { id, name }: { id: string | undefined; name: string | undefined },
  ): number {
    const known =
      id === undefined ? -1 : ([...this.#ids].find(([, each]) => each === id)?.[0] ?? -1);
    const isElsewhere =
      index !== undefined && index !== known && known !== -1 && name !== undefined;
    if (known !== -1 && !isElsewhere) return known;
    const next = Math.max(-1, ...this.#ids.keys()) + 1;
    if (index === undefined)
      return id !== undefined || name !== undefined || this.#last < 0 ? next : this.#last;
    const there = this.#ids.get(index);
    const isAnother = there !== undefined && id !== undefined && id !== there && name !== undefined;
    const hasAnotherName = name !== undefined && (this.#named.get(index) ?? name) !== name;
    return isAnother || hasAnotherName ? next : index;
  }
}

/** Gemini asks for its signature back in the next step. */
function signatureOf({ extra_content }: JsonFields): JsonFields {
  const signature = fieldsOf(fieldsOf(extra_content).google).thought_signature;
  return typeof signature === "string"
    ? { extra_content: { google: { thought_signature: signature } } }
    : {};
}
