import {
  type AnswerReader,
  type Event,
  newReadCall,
  type ReadCall,
  unnamedTool,
} from "./answer-reader";
import { chatReader } from "./chat-reader";
import { pictureText } from "./pictures";
import { errorIn, inWords, type SaidError } from "./provider-words";
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

/** @see https://platform.openai.com/docs/api-reference/responses-streaming */
export function responsesReader(call: ReadCall): AnswerReader {
  const items = new Items(call.files);
  let finish: { reason: string | undefined; usage: JsonFields | undefined } | undefined;
  let isFinished = false;
  let isOwn = false;
  const other = chatReader(newReadCall());

  const ended = (response: JsonFields): Event[] => {
    const reason = firstText(fieldsOf(response.incomplete_details).reason);
    const isCut = response.status === "incomplete" && reason === undefined;
    finish = { reason: isCut ? "length" : reason, usage: usageOf(response.usage, call) };
    return items.missing(itemsOf(response.output));
  };

  return {
    read(event, name) {
      if (!isFields(event)) return [];
      const type = firstText(event.type) ?? (event.object === "response" ? "response.done" : name);
      isOwn ||= type?.startsWith("response.") === true;
      if (type === undefined && !isOwn) other.read(event);
      const said = type === "response.failed" ? failureIn(event) : errorIn(event);
      if (said) {
        call.refusal ??= said;
        return [];
      }
      switch (type) {
        case "response.created":
        case "response.in_progress":
          return [{ type, response: headOf(fieldsOf(event.response)) }];
        case "response.completed":
        case "response.incomplete":
        case "response.done":
          return ended(isFields(event.response) ? event.response : event);
        default:
          return items.read(type ?? "", event);
      }
    },
    finish: () => {
      isFinished = true;
    },
    end() {
      if (other.hasWords && !isOwn) return [this.refuse(inWords(otherFormat))];
      if (!finish && !isFinished) return [];
      const { reason, usage } = finish ?? {};
      call.end = reason ?? "";
      const response = given({
        incomplete_details: reason === undefined ? null : { reason },
        usage,
      });
      const type = reason === undefined ? "response.completed" : "response.incomplete";
      return [...items.end(), { type, response }];
    },
    refuse: ({ message, code }) => ({
      type: "error",
      sequence_number: 0,
      code: code ?? null,
      message,
      param: null,
    }),
    get over() {
      return call.refusal !== null || isFinished || finish !== undefined ? "surely" : "no";
    },
    get hasWords() {
      return items.hasWords;
    },
  };
}

const otherFormat =
  "This server answers in the format of chat completions. Choose it for this provider in Settings → Models.";

function failureIn({ response, error }: JsonFields): SaidError {
  const failed = fieldsOf(response);
  const said = errorIn({
    error: failed.error ?? error ?? failed.message ?? "The provider failed.",
  });
  return said ?? inWords("The provider failed.");
}

function headOf({ id, created_at, model }: JsonFields): JsonFields {
  const isTime = typeof created_at === "number" && created_at >= 0 && created_at < 1e11;
  return {
    id: firstText(id) ?? "response",
    created_at: isTime ? created_at : Math.floor(Date.now() / 1_000),
    model: firstText(model) ?? "",
  };
}

/** The package demands both numbers. */
function usageOf(usage: unknown, call: ReadCall): JsonFields | undefined {
  const { input_tokens, output_tokens, ...details } = fieldsOf(usage);
  const input = countOf(input_tokens);
  const output = countOf(output_tokens);
  call.reported.input = input !== undefined;
  call.reported.output = output !== undefined;
  if (input === undefined && output === undefined) return undefined;
  const cached = partOfCount(fieldsOf(details.input_tokens_details).cached_tokens, input);
  const thought = partOfCount(fieldsOf(details.output_tokens_details).reasoning_tokens, output);
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    ...(cached !== undefined && { input_tokens_details: { cached_tokens: cached } }),
    ...(thought !== undefined && { output_tokens_details: { reasoning_tokens: thought } }),
  };
}

interface ReadItem {
  readonly kind: "message" | "reasoning" | "function_call" | "other";
  /** The provider's index, which two items may share. */
  readonly index: number;
  readonly place: number;
  readonly id: string;
  readonly described: JsonFields;
  text: string;
  isDone: boolean;
}

class Items {
  readonly #files: ReadCall["files"];
  readonly #all: ReadItem[] = [];
  hasWords = false;

  constructor(files: ReadCall["files"]) {
    this.#files = files;
  }

  read(type: string, event: JsonFields): Event[] {
    const item = fieldsOf(event.item);
    switch (type) {
      case "response.output_item.added":
        return this.#added(item, event);
      case "response.output_item.done":
        return this.#done(item, event);
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#written(type, event, textOf(event.delta) ?? "");
      case "response.output_text.done":
        return this.#written("response.output_text.delta", event, textOf(event.text) ?? "", true);
      case "response.refusal.done":
        return this.#written("response.refusal.delta", event, textOf(event.refusal) ?? "", true);
      case "response.content_part.done":
        return this.#parts([event.part], event);
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
      case "response.reasoning.delta":
        return this.#thought(event, textOf(event.delta) ?? "");
      case "response.reasoning_summary_part.added":
      case "response.reasoning_summary_part.done":
        return this.#summaryPart(type, event);
      case "response.function_call_arguments.delta":
        return this.#argued(event, textOf(event.delta) ?? "");
      case "response.output_text.annotation.added":
        return isFields(event.annotation) ? [{ type, annotation: event.annotation }] : [];
      default:
        return [];
    }
  }

  missing(output: readonly unknown[]): Event[] {
    return output.flatMap((each, index) => {
      const item = fieldsOf(each);
      const place = { output_index: index };
      const isKnown = this.#all.some(
        ({ id, index: at, kind }) => id === item.id || (at === index && kind === item.type),
      );
      if (isKnown || (this.#all.length > 0 && !isRead(item)))
        return isKnown ? this.#rest(item, place) : [];
      return [...this.#added(item, place), ...this.#done(item, place)];
    });
  }

  end(): Event[] {
    return this.#all.filter(({ isDone }) => !isDone).flatMap((item) => this.#close(item, {}));
  }

  #find(event: JsonFields, kind: ReadItem["kind"]): ReadItem | undefined {
    const index = countOf(event.output_index);
    const id = firstText(event.item_id);
    const open = this.#all.filter((item) => item.kind === kind && !item.isDone);
    return (
      open.findLast((item) => index !== undefined && item.index === index) ??
      open.findLast((item) => item.id === id) ??
      (index === undefined && id === undefined ? open.at(-1) : undefined)
    );
  }

  #added(item: JsonFields, event: JsonFields): Event[] {
    const kind = kindOf(item.type);
    const index = countOf(event.output_index) ?? this.#all.length;
    const id = firstText(item.id) ?? `${kind}_${this.#all.length}`;
    const isTwin = this.#all.some((each) => each.id === id && each.kind === kind && !each.isDone);
    if (isTwin) return [];
    if (kind === "other" && typeof item.type !== "string") return [];
    const known: ReadItem = {
      kind,
      index,
      place: this.#all.length,
      id,
      described: item,
      text: "",
      isDone: false,
    };
    this.#all.push(known);
    if (kind === "function_call") this.hasWords = true;
    return [
      { type: "response.output_item.added", output_index: known.place, item: shownItem(known) },
    ];
  }

  #opened(event: JsonFields, kind: "message" | "reasoning"): { item: ReadItem; events: Event[] } {
    const found = this.#find(event, kind);
    if (found) return { item: found, events: [] };
    const events = this.#added({ type: kind, id: this.#freeId(event, kind) }, event);
    const item = this.#all.at(-1);
    if (!item) throw new Error("An item was just added.");
    return { item, events };
  }

  /** The item that a delta names may be finished. */
  #freeId({ item_id }: JsonFields, kind: string): string {
    const id = firstText(item_id);
    const isFree = id !== undefined && !this.#all.some((item) => item.id === id);
    return isFree ? id : `${kind}_${this.#all.length}`;
  }

  #written(type: string, event: JsonFields, text: string, isWhole = false): Event[] {
    if (isWhole && this.#isWritten(event, text)) return [];
    if (text === "") return [];
    const { item, events } = this.#opened(event, "message");
    const delta = isWhole ? text.slice(item.text.length) : text;
    item.text += delta;
    this.hasWords = true;
    return [...events, { type, item_id: item.id, output_index: item.place, delta }];
  }

  #isWritten(event: JsonFields, text: string): boolean {
    const index = countOf(event.output_index);
    const id = firstText(event.item_id);
    const before = this.#all.findLast(
      (item) => item.kind === "message" && (item.id === id || item.index === index),
    );
    return (
      before !== undefined &&
      (before.text === text || !text.startsWith(before.text) || before.isDone)
    );
  }

  #parts(content: readonly unknown[], event: JsonFields): Event[] {
    return content.flatMap((part) => {
      const { text, refusal, type } = fieldsOf(part);
      const picture = type === "output_image" ? pictureText(part, this.#files) : null;
      if (picture !== null) return this.#written("response.output_text.delta", event, picture);
      const said = textOf(part) ?? textOf(text);
      if (said !== undefined) return this.#written("response.output_text.delta", event, said, true);
      return this.#written("response.refusal.delta", event, textOf(refusal) ?? "", true);
    });
  }

  #thought(event: JsonFields, delta: string): Event[] {
    if (delta === "") return [];
    const { item, events } = this.#opened(event, "reasoning");
    item.text += delta;
    this.hasWords = true;
    const at = { output_index: item.place, summary_index: countOf(event.summary_index) ?? 0 };
    const type = "response.reasoning_summary_text.delta";
    return [...events, { type, item_id: item.id, ...at, delta }];
  }

  #summaryPart(type: string, event: JsonFields): Event[] {
    const item = this.#find(event, "reasoning");
    if (!item) return [];
    const at = { output_index: item.place, summary_index: countOf(event.summary_index) ?? 0 };
    return [{ type, item_id: item.id, ...at }];
  }

  #argued(event: JsonFields, delta: string): Event[] {
    const item = this.#find(event, "function_call");
    if (!item || delta === "") return [];
    item.text += delta;
    const type = "response.function_call_arguments.delta";
    return [{ type, item_id: item.id, output_index: item.place, delta }];
  }

  #rest(item: JsonFields, place: JsonFields): Event[] {
    const at = { ...place, item_id: item.id };
    return item.type === "message" ? this.#parts(itemsOf(item.content), at) : [];
  }

  #done(item: JsonFields, event: JsonFields): Event[] {
    const kind = kindOf(item.type);
    const at = { ...event, item_id: item.id };
    if (kind === "message") {
      const rest = this.#parts(itemsOf(item.content), at);
      const open = this.#find(at, kind);
      return open ? [...rest, ...this.#close(open, item)] : rest;
    }
    if (kind === "reasoning") {
      const open = this.#find(at, kind);
      const whole = [...itemsOf(item.summary), ...itemsOf(item.content)].map(
        (part) => textOf(fieldsOf(part).text) ?? "",
      );
      const isNew = !open || open.text === "";
      const words = isNew && !this.#isThought(item) ? this.#thought(at, whole.join("\n\n")) : [];
      const now = this.#find(at, kind) ?? open;
      return now ? [...words, ...this.#close(now, item)] : words;
    }
    const isMade = this.#all.some(
      (each) => each.isDone && each.kind === kind && each.id === item.id,
    );
    if (isMade) return [];
    const added = this.#find(at, kind) ? [] : this.#added(item, event);
    const open = this.#find(at, kind) ?? this.#all.at(-1);
    return open ? [...added, ...this.#close(open, item)] : added;
  }

  #isThought({ id }: JsonFields): boolean {
    return this.#all.some(
      (item) => item.kind === "reasoning" && item.id === id && item.text !== "",
    );
  }

  #close(item: ReadItem, done: JsonFields): Event[] {
    item.isDone = true;
    if (item.kind === "other" && done.type === undefined) return [];
    const shown = shownItem(
      { ...item, described: { ...item.described, ...done } },
      { isDone: true },
    );
    return [{ type: "response.output_item.done", output_index: item.place, item: shown }];
  }
}

function isRead({ type }: JsonFields): boolean {
  return type === "message" || type === "reasoning" || type === "function_call";
}

function kindOf(type: unknown): ReadItem["kind"] {
  return type === "message" || type === "reasoning" || type === "function_call" ? type : "other";
}

function shownItem({ kind, id, described, text }: ReadItem, { isDone = false } = {}): JsonFields {
  switch (kind) {
    case "message": {
      const { phase } = described;
      return {
        type: kind,
        id,
        ...((phase === "commentary" || phase === "final_answer") && { phase }),
      };
    }
    case "reasoning": {
      const { encrypted_content } = described;
      return {
        type: kind,
        id,
        ...(typeof encrypted_content === "string" && { encrypted_content }),
      };
    }
    case "function_call": {
      const input = jsonOf(described.arguments);
      return {
        type: kind,
        id,
        call_id: firstText(described.call_id) ?? id,
        name: firstText(described.name) ?? unnamedTool,
        arguments: isDone ? input || text || "{}" : "",
        ...(isDone && { status: "completed" }),
      };
    }
    case "other":
      return { ...described, id };
  }
}
