import { compactionIdOf } from "./compaction/compaction-message";
import { InvalidArgumentError } from "./errors";
import type { NewMessage, SessionMessage, SessionMessageRole, StoredMessage } from "./message";

/**
 * A message as verbatim JSON, so that reads return exactly what was written and equal bodies compare equal.
 */
export interface StoredBody {
  readonly id: string;
  readonly role: SessionMessageRole;
  readonly createdAt: Date;
  /** JSON. */
  readonly parts: string;
  /** JSON; `null` without metadata. */
  readonly metadata: string | null;
}

const roles: readonly string[] = ["system", "user", "assistant"];
const maxIdLength = 200;

/** @throws {InvalidArgumentError} for an id, role or parts that no store can keep. */
export function assertStorable(message: NewMessage): asserts message is SessionMessage {
  if (
    typeof message.id !== "string" ||
    message.id.trim() === "" ||
    message.id.length > maxIdLength ||
    message.id.includes("\u0000")
  ) {
    throw new InvalidArgumentError(
      `A message id has 1 to ${maxIdLength} characters and is not blank.`,
    );
  }
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
}

/** @throws {InvalidArgumentError} as `assertStorable` does. */
export function storable(message: NewMessage): SessionMessage {
  assertStorable(message);
  return message;
}

/** `now` dates a message without a time. */
export function toStoredBody(message: SessionMessage, now: Date): StoredBody {
  return {
    id: message.id,
    role: message.role,
    createdAt: message.createdAt ?? now,
    parts: JSON.stringify(message.parts),
    metadata: message.metadata === undefined ? null : JSON.stringify(message.metadata),
  };
}

/** Returns a fresh copy each time. */
export function fromStoredBody(body: StoredBody): StoredMessage {
  return {
    id: body.id,
    role: body.role,
    parts: JSON.parse(body.parts) as StoredMessage["parts"],
    createdAt: body.createdAt,
    ...(body.metadata === null ? {} : { metadata: JSON.parse(body.metadata) as unknown }),
  };
}
