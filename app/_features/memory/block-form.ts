import { blockTitle } from "@/app/_data/memory/block-words";
import { formatCount } from "@/app/_ui/format-amount";
import type { BlockWire, ChangeBlockRequest, CreateBlockRequest } from "@/lib/chat/wire/memory";

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

/** `House rules` → `house-rules`, as the model sees it. */
export function labelOf(name: string): string {
  // Upper-cased and back: the prompt shows labels in capitals and finds them by those.
  const letters = name.normalize("NFC").toUpperCase().toLowerCase();
  return letters
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, "-")
    .replace(/[-_]{2,}/g, "-")
    .replace(/^[-_\p{M}]+|[-_]+$/gu, "");
}

/** Entries and Grove's instructions have no token limit. */
export function hasRoom(form: BlockForm, block: BlockWire | null): boolean {
  return block ? block.maxTokens !== null : form.kind === "writable";
}

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
          room: `Enter a whole number from ${smallestRoom} to ${formatCount(largestRoom)}.`,
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

/** Only changed settings. An unchanged name keeps its label however that is spelled. */
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
