import { compactionIdOf } from "./compaction-message";
import { InvalidArgumentError } from "./errors";
import type { NewMessage, SessionMessage, SessionMessageRole, StoredMessage } from "./message";

/** Verbatim JSON: reads return the written bytes and equal bodies compare equal. */
export interface StoredBody {
  readonly id: string;
  readonly role: SessionMessageRole;
  readonly createdAt: Date;
  readonly parts: string;
  /** JSON; `null` without metadata. */
  readonly metadata: string | null;
  /** Fields of other formats; `null` without any. */
  readonly extra: string | null;
}

const roles: readonly string[] = ["system", "user", "assistant"];
export const maxIdLength = 200;

/** @throws {InvalidArgumentError} for an id, role or parts that no store can keep. */
export function assertStorable(message: NewMessage): asserts message is SessionMessage {
  assertId(message.id, "message");
  if (compactionIdOf(message.id) !== null) {
    throw new InvalidArgumentError(
      `The id "${message.id}" belongs to a summary; summaries are not appended.`,
    );
  }
  if (!roles.includes(message.role) || !Array.isArray(message.parts)) {
    throw new InvalidArgumentError(
      `Message "${message.id}" needs a known role and a list of parts.`,
    );
  }
  const { createdAt } = message;
  if (createdAt !== undefined && !isDate(createdAt)) {
    throw new InvalidArgumentError(`Message "${message.id}" needs a valid Date as createdAt.`);
  }
}

export function assertDistinct(messages: readonly SessionMessage[]): void {
  const seen = new Set<string>();
  for (const { id } of messages) {
    if (seen.has(id)) throw new InvalidArgumentError(`The id "${id}" is given to two messages.`);
    seen.add(id);
  }
}

export function assertId(
  id: unknown,
  kind: "message" | "session" | "deletion",
): asserts id is string {
  if (!isStorableId(id)) {
    throw new InvalidArgumentError(
      `A ${kind} id has 1 to ${maxIdLength} characters and is not blank.`,
    );
  }
}

export function isStorableId(id: unknown): id is string {
  return (
    typeof id === "string" && id.trim() !== "" && id.length <= maxIdLength && !id.includes("\u0000")
  );
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

export function storable(message: NewMessage): SessionMessage {
  assertStorable(message);
  return message;
}

export function toStoredBody(message: SessionMessage, now: Date): StoredBody {
  const { id, role, createdAt = now, parts, metadata, ...extra } = message;
  return {
    id,
    role,
    createdAt,
    parts: JSON.stringify(parts),
    metadata: JSON.stringify(metadata) ?? null,
    extra: Object.keys(extra).length === 0 ? null : JSON.stringify(extra),
  };
}

export function contentOf({ parts, metadata, extra }: StoredBody): string {
  const fields = [
    `"parts":${parts}`,
    ...(metadata === null ? [] : [`"metadata":${metadata}`]),
    ...(extra === null ? [] : [extra.slice(1, -1)]),
  ];
  return `{${fields.join(",")}}`;
}

export function fromStoredBody(body: StoredBody): StoredMessage {
  return {
    ...(body.extra === null ? {} : (JSON.parse(body.extra) as object)),
    id: body.id,
    role: body.role,
    parts: JSON.parse(body.parts) as StoredMessage["parts"],
    createdAt: body.createdAt,
    ...(body.metadata === null ? {} : { metadata: JSON.parse(body.metadata) as unknown }),
  };
}

/** Compares everything but the time, in any order of keys. */
export function isSameBody(stored: SessionMessage, given: SessionMessage): boolean {
  const bodyOf = ({ createdAt: _, ...body }: SessionMessage) => canonicalJson(body);
  return bodyOf(stored) === bodyOf(given);
}

export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, withSortedKeys);
}

function withSortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
