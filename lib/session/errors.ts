/** What went wrong, for programs; stable. */
export type SessionErrorCode =
  | "message-not-found"
  | "message-conflict"
  | "session-not-found"
  | "session-exists"
  | "compaction-not-found"
  | "compaction-range"
  | "deletion-not-found"
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
  | "invalid-argument"
  | "not-supported";

/** The same in every copy of this module: a bundler may put one into each bundle, and classes of two copies differ. */
const brand = Symbol.for("grove.session-error");

/** Everything the library throws on purpose. `code` is stable; the message says what happened in a full sentence. */
export abstract class SessionError extends Error {
  abstract readonly code: SessionErrorCode;
  readonly [brand] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Whether an error is one of the library's, whichever copy of it threw. */
export function isSessionError(error: unknown): error is SessionError {
  return error instanceof Error && brand in error;
}

/** Whether a write was refused because another version is newest. */
export function isBlockConflict(error: unknown): error is BlockConflictError {
  return isSessionError(error) && error.code === "block-conflict";
}

/** A parent, leaf, end of a range or message to change that is not in this session, or was deleted. */
export class MessageNotFoundError extends SessionError {
  readonly code = "message-not-found";
  constructor(
    readonly messageId: string,
    readonly sessionId?: string,
  ) {
    super(`Message "${messageId}" is not in this session.`);
  }
}

/** An append with an id that exists with other parts or another role, or was deleted. */
export class MessageConflictError extends SessionError {
  readonly code = "message-conflict";
  constructor(readonly messageId: string) {
    super(`Message "${messageId}" already exists with another body.`);
  }
}

/** A session that is unknown or deleted. */
export class SessionNotFoundError extends SessionError {
  readonly code = "session-not-found";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" does not exist.`);
  }
}

/** A new session with an id that belongs to a deleted one, or to another fork. */
export class SessionExistsError extends SessionError {
  readonly code = "session-exists";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" already exists.`);
  }
}

/** A summary to change, remove or put back that is unknown. */
export class CompactionNotFoundError extends SessionError {
  readonly code = "compaction-not-found";
  constructor(readonly compactionId: string) {
    super(`Compaction "${compactionId}" is not in this session.`);
  }
}

/** Ends of a summary that lie on no common path, or the wrong way round. */
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

/** A deletion to undo that is unknown or already undone. */
export class DeletionNotFoundError extends SessionError {
  readonly code = "deletion-not-found";
  constructor(readonly deletionId: string) {
    super(`Deletion "${deletionId}" does not exist or was already undone.`);
  }
}

/** A label that no block has. */
export class BlockNotFoundError extends SessionError {
  readonly code = "block-not-found";
  constructor(readonly label: string) {
    super(`Block "${label}" not found`);
  }
}

/** A new block with a label that is taken. */
export class BlockExistsError extends SessionError {
  readonly code = "block-exists";
  constructor(readonly label: string) {
    super(`Block "${label}" already exists`);
  }
}

/** A write to a block whose provider has no `set`. */
export class BlockReadonlyError extends SessionError {
  readonly code = "block-readonly";
  constructor(readonly label: string) {
    super(`Block "${label}" is readonly`);
  }
}

/** A write by the model to a block that only the person writes. */
export class BlockWriterError extends SessionError {
  readonly code = "block-writer";
  constructor(readonly label: string) {
    super(`Block "${label}" is written by the person alone.`);
  }
}

/** A write that would make a block, or an entry, exceed its `maxTokens`. */
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

/** A write was based on a version that is no longer the newest; `currentVersion` is. */
export class BlockConflictError extends SessionError {
  readonly code = "block-conflict";
  constructor(
    readonly label: string,
    readonly expectedVersion: number,
    readonly currentVersion: number,
  ) {
    super(
      `Block "${label}" was changed meanwhile: the write was based on version ${expectedVersion}, the newest is ${currentVersion}.`,
    );
  }
}

/** A proposed write that does not exist, or is not of this session. */
export class ProposalNotFoundError extends SessionError {
  readonly code = "proposal-not-found";
  constructor(readonly proposalId: string) {
    super(`The proposed write "${proposalId}" does not exist.`);
  }
}

/** Somebody has decided about a proposed write before. */
export class ProposalDecidedError extends SessionError {
  readonly code = "proposal-decided";
  constructor(
    readonly proposalId: string,
    readonly status: "accepted" | "declined",
  ) {
    super(`This proposed write was ${status} already.`);
  }
}

/** A context provider threw, hung past its deadline, or returned something that is not text. */
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

/** A summarizer's answer that must not stand for messages: blank, cut off, or no shorter than they are. */
export class SummaryRejectedError extends SessionError {
  readonly code = "summary-rejected";
  constructor(readonly reason: "blank" | "truncated" | "too-long") {
    super(
      `The summary was rejected: it is ${reason === "too-long" ? "no shorter than what it stands for" : reason}.`,
    );
  }
}

/** An argument that can never be right, whatever is stored; the message says which. */
export class InvalidArgumentError extends SessionError {
  readonly code = "invalid-argument";
}

/** The storage behind this session implements only the documented core of the port. */
export class NotSupportedError extends SessionError {
  readonly code = "not-supported";
  constructor(readonly operation: string) {
    super(`This storage does not support ${operation}.`);
  }
}
