import type { FormSchema } from "@/app/_data/forms/use-form";
import { blockTitle, titlesInUse } from "@/app/_data/memory/block-words";
import { formatCount } from "@/app/_ui/format-amount";
import type { BlockWire, ChangeBlockRequest, CreateBlockRequest } from "@/lib/chat/wire/memory";
import { type NewKind, newKindOf, shownKinds } from "./block-kinds";

export interface BlockForm {
  name: string;
  description: string;
  kind: NewKind;
  writers: "person" | "both";
  scope: "owner" | "session";
  room: string;
}

const defaultRoom = 1_000;
const longestLabel = 40;
const [smallestRoom, largestRoom] = [10, 20_000];

export function blockFormOf(block: BlockWire | null): BlockForm {
  return {
    name: block ? blockTitle(block.label) : "",
    description: block?.note ?? "",
    kind: newKindOf(block?.kind),
    writers: block?.writers === "person" ? "person" : "both",
    scope: block?.scope ?? "owner",
    room: String(block?.maxTokens ?? defaultRoom),
  };
}

export function labelOf(name: string): string {
  // The prompt finds labels by their capitals, so letters go upper-case and back.
  const letters = name.normalize("NFC").toUpperCase().toLowerCase();
  return letters
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/[-_]{2,}/g, "-")
    .replace(/^[-_\p{M}]+|[-_]+$/gu, "");
}

export function hasRoom(form: BlockForm, block: BlockWire | null): boolean {
  return block ? block.maxTokens !== null : shownKinds[form.kind].hasTokenLimit;
}

export function blockSchema(block: BlockWire | null): FormSchema<BlockForm> {
  const hasName = block === null || block.isOwn;
  return {
    name: ({ name }) =>
      hasName && labelOf(name) !== block?.label ? nameError(labelOf(name)) : null,
    room: (form) =>
      hasRoom(form, block) && !isRoom(form.room)
        ? `Enter a whole number from ${smallestRoom} to ${formatCount(largestRoom)}.`
        : null,
  };
}

function nameError(label: string): string | null {
  if (label === "") return "Enter a name with letters or digits.";
  if (titlesInUse.has(label.replaceAll("-", " ")))
    return "Grove has a section of this name. Enter another.";
  const isLong = label.length > longestLabel;
  return isLong ? `Enter a name of at most ${longestLabel} characters.` : null;
}

export function createBody(form: BlockForm): CreateBlockRequest {
  const { name, description, kind, writers, scope } = form;
  return {
    label: labelOf(name),
    description: description.trim(),
    kind,
    writers,
    scope,
    ...(hasRoom(form, null) ? { maxTokens: Number(form.room) } : {}),
  };
}

/** Sends changed settings only. An unchanged name keeps its label, however that is spelled. */
export function changeBody(form: BlockForm, block: BlockWire): ChangeBlockRequest {
  const before = blockFormOf(block);
  return {
    ...(form.name.trim() === before.name ? {} : { label: labelOf(form.name) }),
    ...(form.description.trim() === before.description
      ? {}
      : { description: form.description.trim() }),
    ...(form.writers === before.writers ? {} : { writers: form.writers }),
    ...(hasRoom(form, block) && form.room !== before.room ? { maxTokens: Number(form.room) } : {}),
  };
}

function isRoom(text: string): boolean {
  const room = Number(text);
  return (
    text.trim() !== "" && Number.isInteger(room) && room >= smallestRoom && room <= largestRoom
  );
}
