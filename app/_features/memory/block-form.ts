import type { BlockWire, ChangeBlockRequest, CreateBlockRequest } from "@/lib/chat/wire/memory";
import { blockTitle } from "./block-words";

/** How a block is set up, as its form has it. */
export interface BlockForm {
  name: string;
  description: string;
  kind: "writable" | "searchable";
  writers: "person" | "both";
  scope: "owner" | "session";
  /** Tokens, as typed. */
  room: string;
}

export type BlockFormErrors = Partial<Record<"name" | "room", string>>;

const defaultRoom = 1_000;
const longestLabel = 40;
const [smallestRoom, largestRoom] = [10, 20_000];

/** The form of a block, or of a new one. */
export function blockFormOf(block: BlockWire | null): BlockForm {
  return {
    name: block ? blockTitle(block.label) : "",
    description: block?.description ?? "",
    kind: block?.kind === "searchable" ? "searchable" : "writable",
    writers: block?.writers === "person" ? "person" : "both",
    scope: block?.scope ?? "owner",
    room: String(block?.maxTokens ?? defaultRoom),
  };
}

/** What the model knows a block as: `House rules` → `house-rules`. */
export function labelOf(name: string): string {
  // Through capitals and back: in the prompt it stands in capitals, and has to be found again by them.
  const letters = name.normalize("NFC").toUpperCase().toLowerCase();
  return letters
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/[-_]{2,}/g, "-")
    .replace(/^[-_\p{M}]+|[-_]+$/gu, "");
}

/** Whether a block has room to set: entries and Grove's instructions have as much as they need. */
export function hasRoom(form: BlockForm, block: BlockWire | null): boolean {
  return block ? block.maxTokens !== null : form.kind === "writable";
}

/** What still has to be put right before the form can be saved. */
export function blockFormErrors(form: BlockForm, block: BlockWire | null): BlockFormErrors {
  const label = labelOf(form.name);
  const isNameAsked = block === null || block.isOwn;
  return {
    ...(isNameAsked && label === "" ? { name: "Enter a name with letters or digits." } : {}),
    ...(isNameAsked && label.length > longestLabel
      ? { name: `Enter a name of at most ${longestLabel} characters.` }
      : {}),
    ...(hasRoom(form, block) && !isRoom(form.room)
      ? {
          room: `Enter a whole number from ${smallestRoom} to ${largestRoom.toLocaleString("en")}.`,
        }
      : {}),
  };
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

/** What has changed about a block. A name that was left alone leaves its label alone, however that is written. */
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
