import { createHash } from "node:crypto";
import type { AgentInputItem } from "@openai/agents";
import { z } from "zod";
import { InvalidArgumentError, type SessionMessage, type SessionMessagePart } from "../../session";
import { isToolPart } from "../../session/internal";
import type { SessionMessageRole } from "../../session/ports";
import { contentPart, partContent, textPart } from "./content-parts";
import {
  applyDifference,
  type Difference,
  differenceBetween,
  differenceSchema,
} from "./difference";
import {
  fromStoredValue,
  isList,
  isObject,
  type JsonObject,
  type JsonValue,
  shownText,
  toStoredValue,
} from "./stored-value";
import {
  callPart,
  isCallOf,
  isResultType,
  itemTypesOf,
  partItem,
  resultPart,
  unanswered,
} from "./tool-parts";

const foreignItem = "data-agents-item";

interface ItemRange {
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

/** Facts that the parts cannot hold, valid while those are unchanged. */
interface ItemNotes {
  readonly digest: string;
  readonly places: readonly ItemRange[];
  readonly differences: Readonly<Record<string, Difference>>;
}

const notesSchema: z.ZodType<ItemNotes> = z.object({
  digest: z.string(),
  places: z.array(z.object({ type: z.string(), from: z.number(), to: z.number() })),
  differences: z.record(z.string(), differenceSchema),
});
const metadataSchema = z.object({ agents: z.object({ items: notesSchema }) });

export interface ItemMessage extends Omit<SessionMessage, "id"> {
  readonly metadata?: {
    readonly agents?: { readonly items: ItemNotes };
    readonly [key: string]: unknown;
  };
}

interface Laid {
  readonly parts: readonly SessionMessagePart[];
  readonly places: readonly ItemRange[];
}

const nothing: Laid = { parts: [], places: [] };

/**
 * Each user or system item becomes one message, all agent items in between another. @throws {InvalidArgumentError} for
 * an item that is not JSON.
 */
export function messagesFromItems(items: readonly AgentInputItem[]): ItemMessage[] {
  if (!Array.isArray(items)) throw new InvalidArgumentError("Items are a list.");
  return groupsOf(items.map(storedItem)).map(newMessage);
}

export function continuedMessages(
  message: SessionMessage,
  items: readonly AgentInputItem[],
): ItemMessage[] {
  const own = itemsFromMessage(message).map(storedItem);
  const [first, ...others] = groupsOf([...own, ...items.map(storedItem)]);
  if (!first) return [];
  const laid = assistantParts(first.items.slice(own.length), laidIn(message));
  return [versionOf(message, messageFrom(first, laid)), ...others.map(newMessage)];
}

export function shortenedMessage(message: SessionMessage, count: number): ItemMessage {
  const items = itemsFromMessage(message).slice(0, count).map(storedItem);
  return versionOf(
    message,
    messageFrom({ role: message.role, items }, firstOf(laidIn(message), count)),
  );
}

/** An edited message is read by its parts alone. */
export function itemsFromMessage(message: Omit<SessionMessage, "id">): AgentInputItem[] {
  const { role, parts } = message;
  const { differences = {} } = notesOf(message) ?? {};
  return laidIn(message).places.map((place, at) => {
    const item = applyDifference(itemAt(place, role, parts), differences[String(at)] ?? null);
    return fromStoredValue(item) as AgentInputItem;
  });
}

export function hasCallOf(
  { parts }: Pick<SessionMessage, "parts">,
  item: AgentInputItem | undefined,
): boolean {
  const stored = toStoredValue(item ?? null);
  return isObject(stored) && parts.some((part) => isCallOf(part, stored));
}

interface Group {
  readonly role: SessionMessageRole;
  readonly items: readonly JsonObject[];
}

function groupsOf(items: readonly JsonObject[]): Group[] {
  const groups: { role: SessionMessageRole; items: JsonObject[] }[] = [];
  for (const item of items) {
    const role = roleOf(item);
    const last = groups.at(-1);
    if (role === "assistant" && last?.role === role) last.items.push(item);
    else groups.push({ role, items: [item] });
  }
  return groups;
}

function storedItem(given: AgentInputItem): JsonObject {
  const stored = toStoredValue(given);
  if (isObject(stored)) return stored;
  throw new InvalidArgumentError("An item of the Agents SDK is an object.");
}

function newMessage(group: Group): ItemMessage {
  const { role, items } = group;
  return messageFrom(
    group,
    role === "assistant" ? assistantParts(items, nothing) : saidParts(items),
  );
}

function versionOf({ metadata }: SessionMessage, version: ItemMessage): ItemMessage {
  const { agents: _, ...others } = z.record(z.string(), z.unknown()).safeParse(metadata).data ?? {};
  const merged = { ...others, ...version.metadata };
  return { ...version, ...(Object.keys(merged).length > 0 && { metadata: merged }) };
}

function messageFrom({ role, items }: Group, { parts, places }: Laid): ItemMessage {
  const plain = plainPlaces(role, parts).map((place) => itemAt(place, role, parts));
  if (plain.length === items.length && differencesOf(plain, items) === null) return { role, parts };
  const base = places.map((place) => itemAt(place, role, parts));
  const notes: ItemNotes = {
    digest: digestOf(parts),
    places,
    differences: differencesOf(base, items) ?? {},
  };
  return { role, parts, metadata: { agents: { items: notes } } };
}

function differencesOf(
  base: readonly JsonValue[],
  items: readonly JsonObject[],
): Record<string, Difference> | null {
  const changed = items.flatMap((item, at) => {
    const difference = differenceBetween(base[at], item);
    return difference ? [[String(at), difference] as const] : [];
  });
  return changed.length > 0 ? Object.fromEntries(changed) : null;
}

function laidIn(message: Omit<SessionMessage, "id">): Laid {
  const { role, parts } = message;
  return { parts, places: notesOf(message)?.places ?? plainPlaces(role, parts) };
}

function saidParts([item]: readonly JsonObject[]): Laid {
  const parts = item ? contentParts(item) : [];
  return { parts, places: [{ type: "message", from: 0, to: parts.length }] };
}

function assistantParts(items: readonly JsonObject[], start: Laid): Laid {
  const parts = [...start.parts];
  const places = [...start.places];
  let before = places.at(-1)?.type ?? null;
  for (const item of items) {
    const type = typeOf(item);
    const called = parts.findIndex((part) => isCallOf(part, item));
    const result = resultPart(item, parts[called]);
    if (result && called !== -1) {
      parts[called] = result;
      places.push({ type, from: called, to: called + 1 });
    } else {
      if (!isResultType(type) && before !== null && isNewStep(before, type)) {
        parts.push({ type: "step-start" });
      }
      const from = parts.length;
      parts.push(...(result ? [result] : partsOf(item)));
      places.push({ type, from, to: parts.length });
    }
    before = type;
  }
  return { parts, places };
}

function firstOf({ parts, places }: Laid, count: number): Laid {
  const [kept, dropped] = [places.slice(0, count), places.slice(count)];
  const end = Math.max(0, ...kept.map(({ to }) => to));
  const isIn = (some: readonly ItemRange[], at: number) =>
    some.some(({ from, to }) => from <= at && at < to);
  const left = [...parts.entries()].filter(
    ([at]) => at < end && (isIn(kept, at) || !isIn(dropped, at)),
  );
  const moved = (index: number) => left.filter(([at]) => at < index).length;
  return {
    parts: left.map(([at, part]) => (isIn(dropped, at) ? unanswered(part) : part)),
    places: kept.map(({ type, from, to }) => ({ type, from: moved(from), to: moved(to) })),
  };
}

function isNewStep(before: string, type: string): boolean {
  return isResultType(before) || (before === "message" && type === "message");
}

function partsOf(item: JsonObject): SessionMessagePart[] {
  const call = callPart(item);
  if (call) return [call];
  if (item.type === "reasoning") return [{ type: "reasoning", text: reasoningText(item) }];
  return typeOf(item) === "message" ? contentParts(item) : [{ type: foreignItem, data: item }];
}

function contentParts({ content }: JsonObject): SessionMessagePart[] {
  if (isList(content)) return content.map(contentPart);
  return content === undefined ? [] : [textPart(shownText(content))];
}

function reasoningText({ content, rawContent }: JsonObject): string {
  const texts = [content, rawContent].map((list) =>
    (isList(list) ? list : []).map((entry) => (isObject(entry) ? shownText(entry.text) : "")),
  );
  return (texts.find((list) => list.length > 0) ?? []).join("\n\n");
}

/** Leaves out reasoning: providers refuse it without what they signed. */
function plainPlaces(role: SessionMessageRole, parts: readonly SessionMessagePart[]): ItemRange[] {
  return role === "assistant" ? assistantPlaces(parts) : saidPlaces(role, parts);
}

function saidPlaces(role: SessionMessageRole, parts: readonly SessionMessagePart[]): ItemRange[] {
  const isSaid = parts.some((part) => partContent(part, role) !== null);
  return isSaid ? [{ type: "message", from: 0, to: parts.length }] : [];
}

/** The calls of each step come before their results, as models write them. */
function assistantPlaces(parts: readonly SessionMessagePart[]): ItemRange[] {
  const places: ItemRange[] = [];
  const results: ItemRange[] = [];
  for (const [at, part] of parts.entries()) {
    const last = places.at(-1);
    const place = { from: at, to: at + 1 };
    if (part.type === "step-start") places.push(...results.splice(0));
    for (const type of isToolPart(part) ? itemTypesOf(part) : []) {
      (isResultType(type) ? results : places).push({ ...place, type });
    }
    if (isForeignItem(part)) places.push({ ...place, type: "foreign" });
    else if (partContent(part, "assistant") === null) continue;
    else if (last?.type === "message" && last.to === at && results.length === 0) {
      places[places.length - 1] = { ...last, to: at + 1 };
    } else places.push({ ...place, type: "message" });
  }
  return [...places, ...results];
}

function itemAt(
  { type, from, to }: ItemRange,
  role: SessionMessageRole,
  all: readonly SessionMessagePart[],
): JsonObject {
  const parts = all.slice(from, to);
  const [part] = parts;
  if (type === "message") return messageItem(role, parts);
  if (type === "reasoning") {
    const text = String(part?.text ?? "");
    return { type, content: [{ type: "input_text", text }] };
  }
  if (part && isForeignItem(part)) return part.data;
  return part ? partItem(part, type) : { type };
}

function messageItem(role: SessionMessageRole, parts: readonly SessionMessagePart[]): JsonObject {
  const content = parts.map((part) => partContent(part, role)).filter((entry) => entry !== null);
  const [first] = content;
  const text = content.length === 1 && first?.type === "input_text" ? first.text : null;
  switch (role) {
    case "assistant":
      return { type: "message", role, status: "completed", content };
    case "user":
      return { type: "message", role, content: text ?? content };
    case "system":
      return {
        type: "message",
        role,
        content: content.map((each) => shownText(each.text)).join("\n\n"),
      };
  }
}

function notesOf({ parts, metadata }: Omit<SessionMessage, "id">): ItemNotes | null {
  const { data } = metadataSchema.safeParse(metadata);
  const notes = data?.agents.items;
  return notes?.digest === digestOf(parts) ? notes : null;
}

function digestOf(parts: readonly SessionMessagePart[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);
}

function typeOf({ type, role }: JsonObject): string {
  if (typeof type === "string") return type;
  return role === undefined ? "foreign" : "message";
}

function roleOf(item: JsonObject): SessionMessageRole {
  const isSaid = typeOf(item) === "message" && (item.role === "user" || item.role === "system");
  return isSaid && (item.role === "user" || item.role === "system") ? item.role : "assistant";
}

function isForeignItem(
  part: SessionMessagePart,
): part is SessionMessagePart & { data: JsonObject } {
  return part.type === foreignItem && isObject(part.data as JsonValue);
}
