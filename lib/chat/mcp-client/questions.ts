import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from "@modelcontextprotocol/client";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { AskPerson } from "@/lib/chat/core/tool-source";
import type { QuestionAnswer, QuestionField, QuestionWire } from "@/lib/chat/wire/questions";

type ElicitParams = ElicitRequestFormParams | ElicitRequestURLParams;
type FieldSchema = ElicitRequestFormParams["requestedSchema"]["properties"][string];

const limits = { questions: 10, text: 4_000, fields: 30, options: 200, value: 10_000, label: 200 };

export interface AskedQuestion {
  readonly text: string;
  readonly answer: QuestionAnswer["action"];
}

export class CallQuestions {
  readonly #server: string;
  readonly #ask: AskPerson;
  readonly asked: AskedQuestion[] = [];
  #open: QuestionWire | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(server: string, ask: AskPerson) {
    this.#server = server;
    this.#ask = ask;
  }

  get open(): QuestionWire | null {
    return this.#open;
  }

  answer(params: ElicitParams, signal: AbortSignal): Promise<ElicitResult> {
    const next = this.#turn.then(() => this.#answer(params, signal));
    this.#turn = next.catch(() => undefined);
    return next;
  }

  async #answer(params: ElicitParams, signal: AbortSignal): Promise<ElicitResult> {
    const ask = this.asked.length < limits.questions ? askedFor(params) : null;
    if (!ask) return { action: "cancel" };
    const question = { server: this.#server, text: shown(params.message, limits.text), ask };
    try {
      const answer = await this.#ask(question, {
        signal,
        onAsked: (asked) => {
          this.#open = asked;
        },
      });
      this.asked.push({ text: question.text, answer: answer.action });
      return resultOf(answer, ask);
    } finally {
      this.#open = null;
    }
  }
}

function resultOf(answer: QuestionAnswer, ask: QuestionWire["ask"]): ElicitResult {
  if (answer.action !== "accept" || ask.kind === "page") return { action: answer.action };
  return { action: "accept", content: answer.content };
}

/** `null` for a form too large to show, and for a page that a browser must not open. */
function askedFor(params: ElicitParams): QuestionWire["ask"] | null {
  if (params.mode === "url") {
    const url = URL.parse(params.url);
    const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
    return url && isWeb && url.username === "" ? { kind: "page", url: url.href } : null;
  }
  const { properties, required = [] } = params.requestedSchema;
  const entries = Object.entries(cleanText(properties));
  if (entries.length > limits.fields) return null;
  const fields = entries.map(([name, schema]) =>
    fieldOf(schema, { name, isRequired: required.includes(name) }),
  );
  return { kind: "form", fields };
}

function fieldOf(
  schema: FieldSchema,
  { name, isRequired }: { name: string; isRequired: boolean },
): QuestionField {
  const { title = name, description = "" } = schema;
  const field = {
    name,
    title: shown(title, limits.label),
    description: shown(description, limits.text),
    isRequired,
    asksForSecret: asksForSecret(`${name.replaceAll("_", " ")} ${title} ${description}`),
  };
  switch (schema.type) {
    case "boolean":
      return { ...field, kind: "boolean", default: schema.default ?? false };
    case "number":
    case "integer":
      return {
        ...field,
        kind: "number",
        isInteger: schema.type === "integer",
        minimum: schema.minimum ?? null,
        maximum: schema.maximum ?? null,
        default: schema.default ?? null,
      };
    case "array": {
      const { items, minItems = 0, maxItems = limits.options } = schema;
      const options = "anyOf" in items ? titled(items.anyOf) : plain(items.enum);
      const known = new Set(options.map(({ value }) => value));
      const chosen = (schema.default ?? []).filter((value) => known.has(value));
      return { ...field, kind: "choices", options, minItems, maxItems, default: chosen };
    }
    default:
      return stringField(schema, field);
  }
}

const secretWords =
  /pass(?:word|phrase|code|wort)|\bpin\b|secret|token|api.?key|private.?key|credential|\bcv[vc]\b|card.?number|one.?time.?code|\botp\b/i;

/** A form must not ask for secrets; a page of the server may. */
export function asksForSecret(words: string): boolean {
  return secretWords.test(words);
}

type StringSchema = Extract<FieldSchema, { type: "string" }>;

function stringField(
  schema: StringSchema,
  field: Omit<QuestionField, "kind" | "default">,
): QuestionField {
  const options = optionsOf(schema);
  if (options) {
    const isKnown = options.some(({ value }) => value === schema.default);
    return {
      ...field,
      kind: "choice",
      options,
      default: isKnown ? (schema.default ?? null) : null,
    };
  }
  const { format = null, minLength = 0, maxLength = limits.value } = schema as TextFieldSchema;
  return {
    ...field,
    kind: "text",
    format,
    minLength,
    maxLength: Math.min(maxLength, limits.value),
    default: (schema.default ?? "").slice(0, limits.value),
  };
}

type TextFieldSchema = Extract<StringSchema, { format?: unknown }>;

function optionsOf(schema: StringSchema): { value: string; label: string }[] | null {
  if ("oneOf" in schema) return titled(schema.oneOf);
  if (!("enum" in schema)) return null;
  return plain(schema.enum, "enumNames" in schema ? schema.enumNames : undefined);
}

function titled(options: readonly { const: string; title: string }[]) {
  return options
    .slice(0, limits.options)
    .map((option) => ({ value: option.const, label: shown(option.title, limits.label) }));
}

function plain(values: readonly string[], names: readonly string[] = []) {
  return values
    .slice(0, limits.options)
    .map((value, index) => ({ value, label: shown(names[index] ?? value, limits.label) }));
}

/** Direction characters could make a text read as another. */
function shown(text: string, length: number): string {
  return cleanText(text)
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .slice(0, length);
}
