import { z } from "zod";

interface FieldOption {
  value: string;
  label: string;
}

export type QuestionField = {
  name: string;
  title: string;
  description: string;
  isRequired: boolean;
  asksForSecret: boolean;
} & (
  | {
      kind: "text";
      format: "email" | "uri" | "date" | "date-time" | null;
      minLength: number;
      maxLength: number;
      default: string;
    }
  | {
      kind: "number";
      isInteger: boolean;
      minimum: number | null;
      maximum: number | null;
      default: number | null;
    }
  | { kind: "boolean"; default: boolean }
  | { kind: "choice"; options: FieldOption[]; default: string | null }
  | {
      kind: "choices";
      options: FieldOption[];
      minItems: number;
      maxItems: number;
      default: string[];
    }
);

/** Asked by a server during a call. Every field except `server` is the server's word. */
export interface QuestionWire {
  id: string;
  server: string;
  text: string;
  until: string;
  ask: { kind: "form"; fields: QuestionField[] } | { kind: "page"; url: string };
}

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const answerQuestionRequest = z.discriminatedUnion("action", [
  z.object({ action: z.literal("accept"), content: z.record(z.string(), value).default({}) }),
  z.object({ action: z.literal("decline") }),
  z.object({ action: z.literal("cancel") }),
]);
export type AnswerQuestionRequest = z.input<typeof answerQuestionRequest>;
export type QuestionAnswer = z.output<typeof answerQuestionRequest>;
export type QuestionContent =
  z.output<typeof answerQuestionRequest> extends infer Answer
    ? Answer extends { content: infer Content }
      ? Content
      : never
    : never;

export function fieldProblem(
  field: QuestionField,
  given: QuestionContent[string] | undefined,
): string | null {
  const isEmpty = given === undefined || given === "";
  if (isEmpty) return field.isRequired ? "Fill this in, or decline." : null;
  switch (field.kind) {
    case "text":
      return typeof given === "string" ? textProblem(field, given) : "This must be text.";
    case "number":
      return numberProblem(field, given);
    case "boolean":
      return typeof given === "boolean" ? null : "This must be yes or no.";
    case "choice":
      return field.options.some((option) => option.value === given) ? null : "Choose one of these.";
    case "choices": {
      const known = new Set(field.options.map((option) => option.value));
      if (!Array.isArray(given) || !given.every((each) => known.has(each)))
        return "Choose from these.";
      if (given.length < field.minItems) return `Choose at least ${field.minItems}.`;
      return given.length > field.maxItems ? `Choose at most ${field.maxItems}.` : null;
    }
  }
}

const formats = {
  email: [z.email(), "This is no e-mail address."],
  uri: [z.url(), "This is no address, such as https://example.org."],
  date: [z.iso.date(), "This is no date, such as 2026-03-31."],
  "date-time": [
    z.iso.datetime({ offset: true }),
    "This is no date and time, such as 2026-03-31T09:30:00Z.",
  ],
} as const;

function textProblem(
  { format, minLength, maxLength }: Extract<QuestionField, { kind: "text" }>,
  given: string,
): string | null {
  if (given.length < minLength) return `Enter at least ${minLength} characters.`;
  if (given.length > maxLength) return `Enter at most ${maxLength} characters.`;
  if (format === null) return null;
  const [schema, problem] = formats[format];
  return schema.safeParse(given).success ? null : problem;
}

function numberProblem(
  { isInteger, minimum, maximum }: Extract<QuestionField, { kind: "number" }>,
  given: unknown,
): string | null {
  if (typeof given !== "number" || !Number.isFinite(given)) return "This must be a number.";
  if (isInteger && !Number.isSafeInteger(given)) return "This must be a whole number.";
  if (minimum !== null && given < minimum) return `This must be at least ${minimum}.`;
  return maximum !== null && given > maximum ? `This must be at most ${maximum}.` : null;
}
