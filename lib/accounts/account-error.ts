export type AccountErrorCode =
  | "signed-out"
  | "not-allowed"
  | "other-account"
  | "account-removed"
  | "account-ending"
  | "confirm-first"
  | "export-first"
  | "wrong-credentials"
  | "wrong-code"
  | "invite-invalid"
  | "email-taken"
  | "bad-email"
  | "bad-password"
  | "sign-in-failed"
  | "person-not-found"
  | "device-not-found"
  | "passkey-failed"
  | "too-many-attempts";

export class AccountError extends Error {
  override readonly name = "AccountError";
  constructor(
    readonly code: AccountErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
