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

/** A bundler may duplicate this module, but not the symbol. */
const brand = Symbol.for("grove.session-error");

/** Base of every intended error; `code` is stable. */
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

/** A parent, leaf, range end or changed message is deleted or not in this session. */
export class MessageNotFoundError extends SessionError {
  readonly code = "message-not-found";
  constructor(
    readonly messageId: string,
    readonly sessionId?: string,
  ) {
    super(`Message "${messageId}" is not in this session.`);
  }
}

/** The id exists with other parts or another role, or was deleted. */
export class MessageConflictError extends SessionError {
  readonly code = "message-conflict";
  constructor(readonly messageId: string) {
    super(`Message "${messageId}" already exists with another body.`);
  }
}

/** The session is unknown or deleted. */
export class SessionNotFoundError extends SessionError {
  readonly code = "session-not-found";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" does not exist.`);
  }
}

/** The id belongs to a deleted session or another fork. */
export class SessionExistsError extends SessionError {
  readonly code = "session-exists";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" already exists.`);
  }
}

/** The session has expired: see `CreateSessionOptions.expiresAfterMs`. */
export class SessionExpiredError extends SessionError {
  readonly code = "session-expired";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" has expired.`);
  }
}

/** Appends to archived sessions are refused: see `refuseWhenArchived`. */
export class SessionArchivedError extends SessionError {
  readonly code = "session-archived";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" is archived and takes no messages.`);
  }
}

/** The summary is unknown. */
export class CompactionNotFoundError extends SessionError {
  readonly code = "compaction-not-found";
  constructor(readonly compactionId: string) {
    super(`Compaction "${compactionId}" is not in this session.`);
  }
}

/** The ends of a summary share no path or are reversed. */
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

/** The deletion's id belongs to an earlier one of something else. */
export class DeletionConflictError extends SessionError {
  readonly code = "deletion-conflict";
  constructor(readonly deletionId: string) {
    super(`Deletion "${deletionId}" has already deleted something else.`);
  }
}

/** The deletion is unknown, or its content was removed for good. */
export class DeletionNotFoundError extends SessionError {
  readonly code = "deletion-not-found";
  constructor(readonly deletionId: string) {
    super(`Deletion "${deletionId}" does not exist. What it removed may be gone for good.`);
  }
}

/** No block of the session has this label. */
export class BlockNotFoundError extends SessionError {
  readonly code = "block-not-found";
  constructor(readonly label: string) {
    super(`Block "${label}" not found`);
  }
}

/** A new block's label is taken. */
export class BlockExistsError extends SessionError {
  readonly code = "block-exists";
  constructor(readonly label: string) {
    super(`Block "${label}" already exists`);
  }
}

/** The block's provider has no `set`. */
export class BlockReadonlyError extends SessionError {
  readonly code = "block-readonly";
  constructor(readonly label: string) {
    super(`Block "${label}" is readonly`);
  }
}

/** Only the person may edit this block. */
export class BlockWriterError extends SessionError {
  readonly code = "block-writer";
  constructor(readonly label: string) {
    super(`Block "${label}" is written by the person alone.`);
  }
}

/** A write exceeds the `maxTokens` of a block or an entry. */
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

export interface BlockConflict {
  readonly label: string;
  readonly sessionId: string | null;
  readonly expectedVersion: number;
  readonly currentVersion: number;
}

/** The write is based on an older version than `currentVersion`; `conflicts` has every such block. */
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

export function conflictOf(
  conflicts: readonly [BlockConflict, ...BlockConflict[]],
): BlockConflictError {
  const [{ label, expectedVersion, currentVersion }] = conflicts;
  return new BlockConflictError(label, expectedVersion, currentVersion, conflicts);
}

/** The proposal does not exist or belongs to another session. */
export class ProposalNotFoundError extends SessionError {
  readonly code = "proposal-not-found";
  constructor(readonly proposalId: string) {
    super(`The proposed write "${proposalId}" does not exist.`);
  }
}

/** The proposal is already decided. */
export class ProposalDecidedError extends SessionError {
  readonly code = "proposal-decided";
  constructor(
    readonly proposalId: string,
    readonly status: "accepted" | "declined",
  ) {
    super(`This proposed write was ${status} already.`);
  }
}

/** A context provider throws, times out, or returns something other than text. */
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

/** The summary is blank, truncated, or no shorter than its messages. */
export class SummaryRejectedError extends SessionError {
  readonly code = "summary-rejected";
  constructor(readonly reason: "blank" | "truncated" | "too-long") {
    super(
      `The summary was rejected: it is ${reason === "too-long" ? "no shorter than the messages it covers" : reason}.`,
    );
  }
}

export interface DamageOptions extends ErrorOptions {
  readonly line?: number;
  readonly field?: string | undefined;
}

/** An exported session is cut off, invalid, or not the one asked for. */
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

/** The archive has no session with this id. */
export class ArchiveNotFoundError extends SessionError {
  readonly code = "archive-not-found";
  constructor(readonly sessionId: string) {
    super(`The archive has no session "${sessionId}".`);
  }
}

/** An archive cannot be read or written, or a session from it cannot be stored. */
export class ArchiveFailedError extends SessionError {
  readonly code = "archive-failed";
}

/** The session has stored files, and an archive holds no bytes. */
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

/** The argument is always invalid. */
export class InvalidArgumentError extends SessionError {
  readonly code = "invalid-argument";
}

/** The storage implements only the documented core of the port. */
export class NotSupportedError extends SessionError {
  readonly code = "not-supported";
  constructor(readonly operation: string) {
    super(`This storage does not support ${operation}.`);
  }
}
