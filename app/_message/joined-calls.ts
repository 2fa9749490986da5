import type { EntryWire, GroveMessage } from "@/lib/chat/wire/messages";
import { type ShownCall, type ShownPart, shownParts, storedParts } from "./message-parts";

export type Follower = Pick<EntryWire, "message" | "createdAt">;

export interface PlacedPart {
  readonly kind: "part";
  readonly key: string;
  readonly part: ShownPart;
  readonly message: GroveMessage;
}

export interface PartsFold {
  readonly kind: "fold";
  readonly key: string;
  readonly parts: readonly PlacedPart[];
  readonly calls: readonly ShownCall[];
}

export interface JoinedPartsOptions {
  readonly at?: string | undefined;
  readonly followers?: readonly Follower[] | undefined;
  readonly isOpen: boolean;
}

/** Parts of an answer and of those after it that have no text; a call and its result elsewhere are one. */
export function joinedParts(
  message: GroveMessage,
  { at = "", followers = [], isOpen }: JoinedPartsOptions,
): readonly (PlacedPart | PartsFold)[] {
  const own = isOpen ? shownParts(message) : storedParts(message);
  const first = own.map((part): PlacedPart => ({ kind: "part", key: part.key, part, message }));
  const later = followers.map(({ message }) => placedParts(message));
  const times = [at, ...followers.map(({ createdAt }) => createdAt)];
  return folded(followers.length === 0 ? first : withResults([first, ...later], times));
}

/** Stored messages do not change; reading a thousand takes 40 ms. */
const placedOnce = new WeakMap<GroveMessage, PlacedPart[]>();

function placedParts(message: GroveMessage): PlacedPart[] {
  const known = placedOnce.get(message);
  if (known) return known;
  const placed = storedParts(message).map(
    (part): PlacedPart => ({ kind: "part", key: `${message.id}/${part.key}`, part, message }),
  );
  placedOnce.set(message, placed);
  return placed;
}

interface FoundResult {
  readonly placed: PlacedPart;
  readonly call: ShownCall;
  readonly index: number;
}

function withResults(lists: readonly PlacedPart[][], times: readonly string[]): PlacedPart[] {
  const results = new Map<string, FoundResult>();
  for (const [index, list] of lists.entries()) {
    for (const placed of list) {
      const call = callIn(placed);
      if (call && call.state !== "asked") results.set(call.id, { placed, call, index });
    }
  }
  const shown = new Set<PlacedPart>();
  return lists.flatMap((list, index) => {
    const asked = list.filter((placed) => callIn(placed)?.state === "asked");
    return list.flatMap((placed) => {
      if (shown.has(placed)) return [];
      const call = callIn(placed);
      const result = call?.state === "asked" ? results.get(call.id) : undefined;
      if (!result || result.index < index) return [placed];
      shown.add(result.placed);
      // The time of one of several calls is unknown: their results come together.
      const took = asked.length === 1 ? msBetween(times[index], times[result.index]) : null;
      const joined = { ...result.call, ...(took !== null && { tookMs: took }) };
      return [{ ...placed, part: { kind: "tool" as const, key: placed.part.key, call: joined } }];
    });
  });
}

function msBetween(from = "", to = ""): number | null {
  const ms = Date.parse(to) - Date.parse(from);
  return ms >= 1_000 ? ms : null;
}

const fewestFolded = 3;

function folded(parts: readonly PlacedPart[]): (PlacedPart | PartsFold)[] {
  const shown: (PlacedPart | PartsFold)[] = [];
  let run: PlacedPart[] = [];
  const finishRun = () => {
    const end = run.findLastIndex((placed) => callIn(placed) !== null) + 1;
    const calls = run.flatMap((placed) => callIn(placed) ?? []);
    const [first] = run;
    if (first && calls.length >= fewestFolded) {
      shown.push({ kind: "fold", key: `fold/${first.key}`, parts: run.slice(0, end), calls });
      shown.push(...run.slice(end));
    } else shown.push(...run);
    run = [];
  };
  for (const placed of parts) {
    if (isFoldable(placed) || (placed.part.kind === "reasoning" && run.length > 0))
      run.push(placed);
    else {
      finishRun();
      shown.push(placed);
    }
  }
  finishRun();
  return shown;
}

function isFoldable(placed: PlacedPart): boolean {
  const state = callIn(placed)?.state;
  return state === "done" || state === "failed" || state === "denied" || state === "asked";
}

function callIn({ part }: PlacedPart): ShownCall | null {
  return part.kind === "tool" ? part.call : null;
}

export function isFollower(entry: EntryWire, before: EntryWire): boolean {
  const { message, compaction, isWaiting, pinned, siblings, parentId } = entry;
  const { status = "complete", note, error, writes, proposals, leftOut } = message.metadata ?? {};
  const isPlain = message.role === "assistant" && !compaction && !isWaiting && !pinned;
  const isAlone = siblings.count === 1 && parentId === before.message.id;
  const isSilent = status === "complete" && !note && !error && !writes && !proposals;
  const isWhole = !leftOut?.files && !leftOut?.refused;
  return isPlain && isAlone && isSilent && isWhole && hasOnlyCalls(message);
}

function hasOnlyCalls({ parts }: GroveMessage): boolean {
  const isCall = (type: string) => type === "dynamic-tool" || type.startsWith("tool-");
  const isHidden = (part: GroveMessage["parts"][number]) =>
    part.type === "step-start" ||
    part.type === "reasoning" ||
    (part.type === "text" && part.text.trim() === "");
  return (
    parts.some(({ type }) => isCall(type)) &&
    parts.every((part) => isCall(part.type) || isHidden(part))
  );
}
