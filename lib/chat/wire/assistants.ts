import { z } from "zod";
import { FrontMatterError, readFrontMatter, withFields } from "@/lib/text/front-matter";
import { type ModelParameters, modelParameters } from "./request-fields";

/** Skills, memory and what else a person may write has labels of small letters. */
export const assistantsLabel = "Assistants";

export const assistantRef = z.object({
  key: z.string().min(1).max(200),
  version: z.int().min(1),
  name: z.string().min(1).max(80),
});
export type AssistantRef = z.output<typeof assistantRef>;

export interface Assistant {
  readonly name: string;
  readonly description: string;
  readonly icon: string | null;
  readonly model: string | null;
  readonly parameters: ModelParameters;
  /** `null`: all that the person allows. */
  readonly tools: readonly string[] | null;
  readonly withoutTools: readonly string[];
  readonly skills: readonly string[];
  readonly starters: readonly string[];
  readonly body: string;
  readonly ignored: readonly string[];
}

export interface AssistantWire extends Omit<Assistant, "body"> {
  key: string;
  version: number;
  /** An import may bring a text that cannot be read. */
  problem: string | null;
}

export interface AssistantsWire {
  assistants: AssistantWire[];
  deleted: { key: string; name: string; text: string }[];
}

const own = [
  "name",
  "description",
  "icon",
  "model",
  "tools",
  "disallowedTools",
  "skills",
  "starters",
];
const mostNamed = 500;
const parameterNames = Object.keys(modelParameters.shape) as (keyof ModelParameters)[];
/** Names that coding agents give the effort. */
const effortNames = ["effort", "reasoningEffort"];

/** Reads an assistant in the form of coding agents' `.md` files. @throws {FrontMatterError} */
export function readAssistant(text: string, fallbackName: string): Assistant {
  const { fields, body } = readFrontMatter(text);
  const values = new Map(fields.map(({ name, value }) => [name, value]));
  const ignored: string[] = [];
  const given = (name: string) => {
    const value = values.get(name);
    if (typeof value === "string" || value === undefined) return value?.trim() ?? "";
    ignored.push(`“${name}” is not used: it must be a text.`);
    return "";
  };
  const list = (name: string, most = mostNamed) => {
    const value = values.get(name);
    if (value === undefined || value === "") return null;
    if (typeof value !== "string" && !Array.isArray(value)) return "unread" as const;
    const items: readonly string[] = typeof value === "string" ? value.split(",") : value;
    const named = new Set(items.map((item) => item.trim()).filter((item) => item !== ""));
    if (named.size > most) ignored.push(`“${name}” has more than ${most}: the first are used.`);
    return [...named].slice(0, most);
  };
  const orNone = (name: string, most?: number) => {
    const found = list(name, most);
    if (found !== "unread") return found ?? [];
    ignored.push(`“${name}” is not used: it must be a list.`);
    return [];
  };
  const { parameters, problems } = parametersOf(given, values);
  const icon = given("icon");
  if (icon !== "" && !isEmoji(icon)) ignored.push("“icon” is not used: it must be one emoji.");
  const unknown = fields.filter(
    ({ name }) => !own.includes(name) && !isParameter(name) && !effortNames.includes(name),
  );
  const model = given("model");
  return {
    name: (given("name") || fallbackName).replace(/\s+/g, " ").slice(0, 80),
    description: given("description").slice(0, 1_024),
    icon: isEmoji(icon) ? icon : null,
    model: model === "" || model === "inherit" ? null : model.slice(0, 200),
    parameters,
    ...toolsOf(list, values.get("tools"), ignored),
    skills: orNone("skills", 50),
    starters: orNone("starters", 4),
    body,
    ignored: [
      ...ignored,
      ...problems,
      ...unknown.map(({ name }) => `“${name}” is kept, and not used by Grove.`),
    ],
  };
}

function parametersOf(given: (name: string) => string, values: ReadonlyMap<string, unknown>) {
  const problems: string[] = [];
  const found = parameterNames.flatMap((name): [string, unknown][] => {
    const names = name === "reasoning" ? [name, ...effortNames] : [name];
    const used = names.find((each) => values.has(each));
    if (used === undefined) return [];
    const text = given(used);
    const isNumber = name === "temperature" || name === "maxOutputTokens";
    const value = isNumber && text !== "" ? Number(text) : text;
    if (modelParameters.safeParse({ [name]: value }).success) return [[name, value]];
    if (text !== "")
      problems.push(`“${used}” is not used: “${text.slice(0, 60)}” is no value of it.`);
    return [];
  });
  return { parameters: modelParameters.parse(Object.fromEntries(found)), problems };
}

function isParameter(name: string): boolean {
  return parameterNames.some((each) => each === name);
}

/** Allows no tool where it cannot be read. */
function toolsOf(
  list: (name: string) => string[] | "unread" | null,
  given: unknown,
  ignored: string[],
): Pick<Assistant, "tools" | "withoutTools"> {
  const off = turnedOff(given);
  const [tools, without] = [off ? null : list("tools"), list("disallowedTools")];
  const none = { tools: [], withoutTools: [] };
  const unread = (name: string) => {
    ignored.push(`“${name}” is not a list of names, so it may use no tool.`);
    return none;
  };
  if (tools === "unread") return unread("tools");
  if (without === "unread") return unread("disallowedTools");
  return { tools, withoutTools: [...(without ?? []), ...(off ?? [])] };
}

/** In some agents' files `tools` turns single tools off. */
function turnedOff(value: unknown): string[] | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return Object.entries(value).flatMap(([name, isOn]) => (/^true$/i.test(isOn) ? [] : [name]));
}

function isEmoji(text: string): boolean {
  const [first, ...others] = new Intl.Segmenter().segment(text);
  return (
    first !== undefined &&
    others.length === 0 &&
    /\p{Emoji_Presentation}|\p{Extended_Pictographic}/u.test(text)
  );
}

/** An empty field is removed. */
export interface AssistantFields {
  readonly name: string;
  readonly description: string;
  readonly icon: string;
  readonly model: string;
  readonly tools: readonly string[] | null;
  readonly skills: readonly string[];
  readonly starters: readonly string[];
  readonly parameters: ModelParameters;
}

/** Fields that Grove does not use stay. @throws {FrontMatterError} */
export function assistantText(
  text: string,
  { parameters, ...fields }: Partial<AssistantFields>,
  body: string,
): string {
  const numbers = parameters && {
    ...Object.fromEntries([...parameterNames, ...effortNames].map((name) => [name, null])),
    ...Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
  };
  const changes = Object.entries(fields).map(([name, value]) => {
    const isNone = value === "" || value === null || (name !== "tools" && value?.length === 0);
    return [name, isNone ? null : value] as const;
  });
  return withFields(text, { ...Object.fromEntries(changes), ...numbers }, body);
}

/** `null` where it can be read. */
export function assistantProblem(text: string): string | null {
  try {
    readAssistant(text, "");
    return null;
  } catch (error) {
    if (error instanceof FrontMatterError) return error.message;
    throw error;
  }
}
