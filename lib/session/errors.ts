/** Stable, for programs. */
export type SessionErrorCode =
  | "message-not-found"
  | "message-conflict"
  | "session-not-found"
  | "session-exists"
  | "session-archived"
  | "session-expired"
  | "compaction-not-found"
  | "compaction-range"
  | "deletion-not-found"
  | "deletion-conflict"
  | "block-not-found"
  | "block-exists"
  | "block-readonly"
  | "block-writer"
  | "block-too-large"
  | "block-conflict"
  | "proposal-not-found"
  | "proposal-decided"
  | "provider-failed"
  | "summary-rejected"
  | "export-damaged"
  | "archive-not-found"
  | "archive-failed"
  | "files-not-archived"
  | "invalid-argument"
  | "not-supported";

/** A symbol, because a bundler may duplicate this module, and then its classes differ. */
const brand = Symbol.for("grove.session-error");

/** Base of every intended error. `code` is stable; the message is a full sentence. */
export abstract class SessionError extends Error {
  abstract readonly code: SessionErrorCode;
  readonly [brand] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Also recognizes errors of a duplicated module. */
export function isSessionError(error: unknown): error is SessionError {
  return error instanceof Error && brand in error;
}

export function isBlockConflict(error: unknown): error is BlockConflictError {
  return isSessionError(error) && error.code === "block-conflict";
}

/** Thrown for a parent, leaf, range end or changed message that is deleted or not in this session. */
export class MessageNotFoundError extends SessionError {
  readonly code = "message-not-found";
  constructor(
    readonly messageId: string,
    readonly sessionId?: string,
  ) {
    super(`Message "${messageId}" is not in this session.`);
  }
}

/** Thrown for an append whose id exists with other parts or another role, or was deleted. */
export class MessageConflictError extends SessionError {
  readonly code = "message-conflict";
  constructor(readonly messageId: string) {
    super(`Message "${messageId}" already exists with another body.`);
  }
}

/** Thrown for an unknown or deleted session. */
export class SessionNotFoundError extends SessionError {
  readonly code = "session-not-found";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" does not exist.`);
  }
}

/** Thrown for a new session whose id belongs to a deleted one or another fork. */
export class SessionExistsError extends SessionError {
  readonly code = "session-exists";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" already exists.`);
  }
}

/** Thrown for reads and writes of a session after it has expired: see `CreateSessionOptions.expiresAfterMs`. */
export class SessionExpiredError extends SessionError {
  readonly code = "session-expired";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" has expired.`);
  }
}

/** Thrown for an append to an archived session, where these are refused: see `refuseWhenArchived`. */
export class SessionArchivedError extends SessionError {
  readonly code = "session-archived";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" is archived and takes no messages.`);
  }
}

/** Thrown for an unknown summary. */
export class CompactionNotFoundError extends SessionError {
  readonly code = "compaction-not-found";
  constructor(readonly compactionId: string) {
    super(`Compaction "${compactionId}" is not in this session.`);
  }
}

/** Thrown when the ends of a summary share no path or are reversed. */
export class CompactionRangeError extends SessionError {
  readonly code = "compaction-range";
  constructor(
    readonly fromMessageId: string,
    readonly toMessageId: string,
  ) {
    super(
      `Message "${fromMessageId}" does not come before "${toMessageId}" on one path, so they bound no range.`,
    );
  }
}

/** Thrown for a deletion whose id an earlier one of something else has. */
export class DeletionConflictError extends SessionError {
  readonly code = "deletion-conflict";
  constructor(readonly deletionId: string) {
    super(`Deletion "${deletionId}" has already deleted something else.`);
  }
}

/** Thrown for an unknown deletion, or one of what was removed for good. */
export class DeletionNotFoundError extends SessionError {
  readonly code = "deletion-not-found";
  constructor(readonly deletionId: string) {
    super(`Deletion "${deletionId}" does not exist. What it removed may be gone for good.`);
  }
}

/** Thrown for a label that no block of the session has. */
export class BlockNotFoundError extends SessionError {
  readonly code = "block-not-found";
  constructor(readonly label: string) {
    super(`Block "${label}" not found`);
  }
}

/** Thrown when a new block's label is taken. */
export class BlockExistsError extends SessionError {
  readonly code = "block-exists";
  constructor(readonly label: string) {
    super(`Block "${label}" already exists`);
  }
}

/** Thrown for a write to a block whose provider has no `set`. */
export class BlockReadonlyError extends SessionError {
  readonly code = "block-readonly";
  constructor(readonly label: string) {
    super(`Block "${label}" is readonly`);
  }
}

/** Thrown when the model writes a block that only the person may edit. */
export class BlockWriterError extends SessionError {
  readonly code = "block-writer";
  constructor(readonly label: string) {
    super(`Block "${label}" is written by the person alone.`);
  }
}

/** Thrown when a write exceeds the `maxTokens` of a block or an entry. */
export class BlockTooLargeError extends SessionError {
  readonly code = "block-too-large";
  constructor(
    readonly label: string,
    readonly tokens: number,
    readonly maxTokens: number,
  ) {
    super(`Block "${label}" exceeds maxTokens: ${tokens} > ${maxTokens}`);
  }
}

/** A block with another newest version than its writer has seen. */
export interface BlockConflict {
  readonly label: string;
  /** `null` for a block of every session. */
  readonly sessionId: string | null;
  readonly expectedVersion: number;
  readonly currentVersion: number;
}

/**
 * Thrown when a write is based on a version older than `currentVersion`. `conflicts` has every such block where several
 * were written together.
 */
export class BlockConflictError extends SessionError {
  readonly code = "block-conflict";
  constructor(
    readonly label: string,
    readonly expectedVersion: number,
    readonly currentVersion: number,
    readonly conflicts: readonly BlockConflict[] = [],
  ) {
    super(
      conflicts.length > 1
        ? `Blocks ${conflicts.map((each) => `"${each.label}"`).join(", ")} were changed meanwhile, so none was written.`
        : `Block "${label}" was changed meanwhile: the write was based on version ${expectedVersion}, the newest is ${currentVersion}.`,
    );
  }
}

/** @returns one error that names every conflict. */
export function conflictOf(
  conflicts: readonly [BlockConflict, ...BlockConflict[]],
): BlockConflictError {
  const [{ label, expectedVersion, currentVersion }] = conflicts;
  return new BlockConflictError(label, expectedVersion, currentVersion, conflicts);
}

/** Thrown for a proposal that does not exist or belongs to another session. */
export class ProposalNotFoundError extends SessionError {
  readonly code = "proposal-not-found";
  constructor(readonly proposalId: string) {
    super(`The proposed write "${proposalId}" does not exist.`);
  }
}

/** Thrown for a proposal already decided. */
export class ProposalDecidedError extends SessionError {
  readonly code = "proposal-decided";
  constructor(
    readonly proposalId: string,
    readonly status: "accepted" | "declined",
  ) {
    super(`This proposed write was ${status} already.`);
  }
}

/** Thrown when a context provider throws, times out, or returns something other than text. */
export class ProviderFailedError extends SessionError {
  readonly code = "provider-failed";
  constructor(
    readonly label: string,
    reason: string,
    options?: ErrorOptions,
  ) {
    super(`Block "${label}" could not be used: ${reason}`, options);
  }
}

/** Thrown for an unusable summary: blank, truncated, or no shorter than its messages. */
export class SummaryRejectedError extends SessionError {
  readonly code = "summary-rejected";
  constructor(readonly reason: "blank" | "truncated" | "too-long") {
    super(
      `The summary was rejected: it is ${reason === "too-long" ? "no shorter than the messages it covers" : reason}.`,
    );
  }
}

interface DamageOptions extends ErrorOptions {
  /** Counted from 1. */
  readonly line?: number;
  readonly field?: string | undefined;
}

/** Thrown for an exported session that is cut off, invalid, or another one than was asked for. */
export class ExportDamagedError extends SessionError {
  readonly code = "export-damaged";
  readonly line: number | null;
  readonly field: string | null;

  /** `reason` continues a sentence. */
  constructor(reason: string, { line, field, ...options }: DamageOptions = {}) {
    const place = [line && `line ${line}`, field].filter((each) => each).join(", ");
    super(`The exported session is damaged${place && ` (${place})`}: ${reason}.`, options);
    this.line = line ?? null;
    this.field = field ?? null;
  }
}

/** Thrown when an archive has no session with this id. */
export class ArchiveNotFoundError extends SessionError {
  readonly code = "archive-not-found";
  constructor(readonly sessionId: string) {
    super(`The archive has no session "${sessionId}".`);
  }
}

/** Thrown when an archive cannot be read or written, or a session from it cannot be stored. */
export class ArchiveFailedError extends SessionError {
  readonly code = "archive-failed";
}

/** Thrown for a session whose messages name stored files, since an archive holds no bytes. */
export class FilesNotArchivedError extends SessionError {
  readonly code = "files-not-archived";
  constructor(
    readonly sessionId: string,
    readonly names: readonly string[],
  ) {
    const [first = ""] = names;
    const files = names.length === 1 ? `the file “${first}”` : `${names.length} files`;
    super(
      `Session "${sessionId}" names ${files}, whose bytes an archive does not hold. Export the session with its files, or archive it with { withoutFiles: true }.`,
    );
  }
}

/** Thrown for an argument that is always invalid. */
export class InvalidArgumentError extends SessionError {
  readonly code = "invalid-argument";
}

/** Thrown when the storage implements only the documented core of the port. */
export class NotSupportedError extends SessionError {
  readonly code = "not-supported";
  constructor(readonly operation: string) {
    super(`This storage does not support ${operation}.`);
  }
}
