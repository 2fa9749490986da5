export type ChatErrorCode =
  | "run-not-found"
  | "approval-not-found"
  | "approval-decided"
  | "question-over"
  | "deletion-restored"
  | "nothing-to-compact"
  | "compaction-failed"
  | "nothing-to-bring"
  | "summary-failed"
  | "bad-parts"
  | "file-not-found"
  | "file-unavailable"
  | "file-unread"
  | "file-too-large"
  | "storage-full"
  | "file-empty"
  | "disk-full"
  | "bad-file-name"
  | "too-many-runs"
  | "over-budget"
  | "over-key-limit"
  | "shutting-down"
  | "entry-not-found"
  | "entry-exists"
  | "bad-block"
  | "block-exists"
  | "block-not-found"
  | "too-many-blocks"
  | "receipt-not-found"
  | "answer-running"
  | "chat-kept"
  | "chat-moved"
  | "session-exists"
  | "import-running"
  | "invalid-import"
  | "invalid-body"
  | "invalid-query"
  | "prompt-name-taken"
  | "provider-name-taken"
  | "too-many-providers"
  | "too-many-keys"
  | "key-exists"
  | "key-not-found"
  | "provider-not-found"
  | "server-not-found"
  | "server-name-taken"
  | "too-many-prompts"
  | "bad-assistant"
  | "too-many-assistants"
  | "too-many-files"
  | "too-many-overrides"
  | "server-failed"
  | "too-many-servers";

export class ChatError extends Error {
  override readonly name = "ChatError";
  readonly field: string | undefined;

  constructor(
    readonly code: ChatErrorCode,
    message: string,
    { field, cause }: { field?: string | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.field = field;
  }
}
