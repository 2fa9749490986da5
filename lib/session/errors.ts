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
  | "block-too-large"
  | "block-conflict"
  | "provider-failed"
  | "summary-rejected"
  | "invalid-argument"
  | "not-supported";

/** Everything the library throws on purpose. `code` is stable; the message says what happened in a full sentence. */
export abstract class SessionError extends Error {
  abstract readonly code: SessionErrorCode;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

export class MessageNotFoundError extends SessionError {
  readonly code = "message-not-found";
  constructor(
    readonly messageId: string,
    readonly sessionId?: string,
  ) {
    super(`Message "${messageId}" is not in this session.`);
  }
}

export class MessageConflictError extends SessionError {
  readonly code = "message-conflict";
  constructor(readonly messageId: string) {
    super(`Message "${messageId}" already exists with another body.`);
  }
}

export class SessionNotFoundError extends SessionError {
  readonly code = "session-not-found";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" does not exist.`);
  }
}

export class SessionExistsError extends SessionError {
  readonly code = "session-exists";
  constructor(readonly sessionId: string) {
    super(`Session "${sessionId}" already exists.`);
  }
}

export class CompactionNotFoundError extends SessionError {
  readonly code = "compaction-not-found";
  constructor(readonly compactionId: string) {
    super(`Compaction "${compactionId}" is not in this session.`);
  }
}

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

export class DeletionNotFoundError extends SessionError {
  readonly code = "deletion-not-found";
  constructor(readonly deletionId: string) {
    super(`Deletion "${deletionId}" does not exist or was already undone.`);
  }
}

export class BlockNotFoundError extends SessionError {
  readonly code = "block-not-found";
  constructor(readonly label: string) {
    super(`Block "${label}" not found`);
  }
}

export class BlockExistsError extends SessionError {
  readonly code = "block-exists";
  constructor(readonly label: string) {
    super(`Block "${label}" already exists`);
  }
}

export class BlockReadonlyError extends SessionError {
  readonly code = "block-readonly";
  constructor(readonly label: string) {
    super(`Block "${label}" is readonly`);
  }
}

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
