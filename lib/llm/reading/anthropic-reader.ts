import { type AnswerReader, type Event, type ReadCall, unnamedTool } from "./answer-reader";
import { pictureText } from "./pictures";
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
  textOf,
} from "./read-values";

type ContentKind = "text" | "thinking" | "tool_use" | "other";

interface ContentBlock {
  /** The provider's index may come twice. */
  readonly index: number;
  readonly kind: ContentKind;
  readonly id: string | undefined;
}

/** @see https://platform.claude.com/docs/en/build-with-claude/streaming */
export function anthropicReader(call: ReadCall): AnswerReader {
  const blocks = new Blocks();
  const usage = new Usage(call);
  let hasBegun = false;
  let stop: string | undefined;
  let isStopped = false;
  let hasWords = false;

  const begun = (message: JsonFields = {}): Event[] => {
    if (hasBegun) return [];
    hasBegun = true;
    return [messageStart(message, usage.sent())];
  };
  const content = (events: Event[]): Event[] => {
    if (events.length === 0) return [];
    hasWords = true;
    return [...begun(), ...events];
  };
  const wholeMessage = (message: JsonFields): Event[] => {
    usage.note(message.usage);
    const parts = itemsOf(message.content).flatMap((part) => blocks.whole(part, call));
    stop = firstText(message.stop_reason) ?? stop;
    return [...begun(message), ...content(parts)];
  };

  return {
    read(event, name) {
      if (!isFields(event)) return [];
      const said = errorIn(event);
      if (said) {
        call.refusal ??= said;
        return [];
      }
      const index = countOf(event.index);
      switch (firstText(event.type) ?? name) {
        case "message_start":
          return wholeMessage(fieldsOf(event.message));
        case "message":
          return wholeMessage(event);
        case "content_block_start":
          return content(blocks.start(index, fieldsOf(event.content_block), call));
        case "content_block_delta":
          return content(blocks.delta(index, fieldsOf(event.delta), call));
        case "content_block_stop":
          return blocks.stop(index);
        case "message_delta":
          usage.note(event.usage);
          stop = firstText(fieldsOf(event.delta).stop_reason) ?? stop;
          return [];
        case "message_stop":
          isStopped = true;
          return [];
        case "completion":
          return content(blocks.delta(index, { text: event.completion }, call));
        default:
          return [];
      }
    },
    finish: () => {
      isStopped = true;
    },
    end() {
      if (!isStopped && stop === undefined) return [];
      call.end = stop ?? "";
      const reason = stop ?? (blocks.hasCalls ? "tool_use" : "end_turn");
      return [
        ...begun(),
        ...blocks.stopAll(),
        { type: "message_delta", delta: { stop_reason: reason }, usage: usage.all() },
        { type: "message_stop" },
      ];
    },
    refuse: ({ message, type, code }) => ({
      type: "error",
      error: given({ type: type ?? "api_error", message, code }),
    }),
    get over() {
      return call.refusal !== null || isStopped || stop !== undefined ? "surely" : "no";
    },
    get hasWords() {
      return hasWords;
    },
  };
}

function messageStart({ id, model }: JsonFields, usage: JsonFields): Event {
  const message = given({ id: firstText(id), model: firstText(model), role: "assistant", usage });
  return { type: "message_start", message };
}

class Usage {
  readonly #call: ReadCall;
  #counts: JsonFields = {};

  constructor(call: ReadCall) {
    this.#call = call;
  }

  note(usage: unknown): void {
    const { input_tokens, output_tokens, output_tokens_details, ...others } = fieldsOf(usage);
    const output = countOf(output_tokens);
    this.#counts = {
      ...this.#counts,
      ...given({
        input_tokens: countOf(input_tokens),
        output_tokens: output,
        cache_creation_input_tokens: countOf(others.cache_creation_input_tokens),
        cache_read_input_tokens: countOf(others.cache_read_input_tokens),
      }),
    };
    const thought = countOf(fieldsOf(output_tokens_details).thinking_tokens);
    if (thought !== undefined && output !== undefined && thought <= output)
      this.#counts = { ...this.#counts, output_tokens_details: { thinking_tokens: thought } };
    this.#call.reported.input = this.#counts.input_tokens !== undefined;
    this.#call.reported.output = this.#counts.output_tokens !== undefined;
  }

  sent(): JsonFields {
    const { output_tokens: _, output_tokens_details: __, ...sent } = this.#counts;
    return { input_tokens: 0, ...sent };
  }

  all(): JsonFields {
    return { output_tokens: 0, ...this.#counts };
  }
}

const ownTools = new Set([
  "server_tool_use",
  "web_search_tool_result",
  "web_fetch_tool_result",
  "code_execution_tool_result",
  "bash_code_execution_tool_result",
  "text_editor_code_execution_tool_result",
]);

class Blocks {
  readonly #open = new Map<number, ContentBlock>();
  #count = 0;
  #lastPlace = 0;
  hasCalls = false;

  start(place = this.#count, described: JsonFields, call: ReadCall): Event[] {
    const { type } = described;
    const id = firstText(described.id);
    const open = this.#open.get(place);
    const isTwin = open !== undefined && open.kind === type && open.id === id;
    const events = isTwin ? [] : [...this.stop(place), ...this.#opened(place, described)];
    return [...events, ...this.#written(place, described, call)];
  }

  whole(described: unknown, call: ReadCall): Event[] {
    const place = this.#count;
    const text = textOf(described);
    const block = text === undefined ? fieldsOf(described) : { type: "text", text };
    const { input, ...rest } = block;
    const isCall = block.type === "tool_use";
    return [
      ...this.start(place, isCall ? rest : block, call),
      ...(isCall ? this.delta(place, { partial_json: jsonOf(input) ?? "{}" }, call) : []),
      ...this.stop(place),
    ];
  }

  delta(at: number | undefined, change: JsonFields, call: ReadCall): Event[] {
    const place = at ?? this.#lastPlace;
    if (typeof change.partial_json === "string" && change.partial_json !== "") {
      const { partial_json } = change;
      const own = this.#open.get(place);
      if (own?.kind === "other") return [deltaOf(own, { type: "input_json_delta", partial_json })];
      return this.#given(place, "tool_use", { type: "input_json_delta", partial_json });
    }
    const open = this.#open.get(place);
    if (typeof change.signature === "string" && open?.kind === "thinking")
      return [deltaOf(open, { type: "signature_delta", signature: change.signature })];
    if (isFields(change.citation) && open?.kind === "text")
      return [deltaOf(open, { type: "citations_delta", citation: change.citation })];
    return this.#written(place, change, call);
  }

  stop(place = this.#lastPlace): Event[] {
    const open = this.#open.get(place);
    if (!open) return [];
    this.#open.delete(place);
    return [{ type: "content_block_stop", index: open.index }];
  }

  stopAll(): Event[] {
    return [...this.#open.keys()].flatMap((place) => this.stop(place));
  }

  #written(place: number, { text, thinking, ...other }: JsonFields, call: ReadCall): Event[] {
    const thought = textOf(thinking) ?? "";
    const said = textOf(text) || (other.type === "image" && pictureText(other, call.files)) || "";
    return [
      ...(thought === ""
        ? []
        : this.#given(place, "thinking", { type: "thinking_delta", thinking: thought })),
      ...(said === "" ? [] : this.#given(place, "text", { type: "text_delta", text: said })),
    ];
  }

  /** Opens a block where none is open: a delta may come without its start. */
  #given(place: number, kind: "text" | "thinking" | "tool_use", delta: JsonFields): Event[] {
    const open = this.#open.get(place);
    const isOpen = open?.kind === kind;
    const before = isOpen ? [] : [...this.stop(place), ...this.#opened(place, { type: kind })];
    const block = this.#open.get(place);
    return block ? [...before, deltaOf(block, delta)] : [];
  }

  #opened(place: number, described: JsonFields): Event[] {
    const index = this.#count;
    const content_block = blockOf(described, index);
    if (!content_block) return [];
    this.#count += 1;
    this.#lastPlace = place;
    const { type } = content_block;
    const kind = type === "text" || type === "thinking" || type === "tool_use" ? type : "other";
    this.hasCalls ||= kind === "tool_use";
    this.#open.set(place, { index, kind, id: firstText(described.id) });
    return [{ type: "content_block_start", index, content_block }];
  }
}

function deltaOf({ index }: ContentBlock, delta: JsonFields): Event {
  return { type: "content_block_delta", index, delta };
}

function blockOf(described: JsonFields, index: number): JsonFields | null {
  const { type, id, name, input, data } = described;
  if (type === "tool_use") {
    const block = {
      type,
      id: firstText(id) ?? `call_${index}`,
      name: firstText(name) ?? unnamedTool,
    };
    return isFields(input) ? { ...block, input } : block;
  }
  if (type === "thinking") return { type, thinking: "" };
  if (type === "redacted_thinking") return typeof data === "string" ? { type, data } : null;
  if (typeof type === "string" && ownTools.has(type)) return described;
  return type === "text" ? { type: "text", text: "" } : null;
}
