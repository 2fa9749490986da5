import { AccountError } from "./account-error";

export const endingCode = "ACCOUNT_ENDING";

const sentences: Readonly<Record<string, readonly [AccountError["code"], string]>> = {
  INVALID_EMAIL: ["wrong-credentials", "The e-mail address or the password is wrong."],
  INVALID_EMAIL_OR_PASSWORD: ["wrong-credentials", "The e-mail address or the password is wrong."],
  INVALID_PASSWORD: ["wrong-credentials", "The password is wrong."],
  CREDENTIAL_ACCOUNT_NOT_FOUND: ["wrong-credentials", "This account has no password."],
  PASSWORD_TOO_LONG: ["bad-password", "The password is too long."],
  PASSWORD_TOO_SHORT: ["bad-password", "The password is too short."],
  INVALID_CODE: ["wrong-code", "The code is wrong. Codes change every 30 seconds."],
  INVALID_BACKUP_CODE: ["wrong-code", "The recovery code is wrong, or was used before."],
  INVALID_TWO_FACTOR_COOKIE: ["wrong-code", "The sign-in took too long. Start again."],
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: ["too-many-attempts", "Too many wrong codes. Start again."],
  ACCOUNT_TEMPORARILY_LOCKED: [
    "too-many-attempts",
    "Too many wrong codes. Try again in a quarter of an hour.",
  ],
  TOTP_NOT_ENABLED: ["wrong-code", "Two-factor sign-in is off."],
  TOTP_ALREADY_ENABLED: ["wrong-code", "Two-factor sign-in is on already."],
  SESSION_EXPIRED: ["signed-out", "You are signed out. Sign in again."],
  UNAUTHORIZED: ["signed-out", "You are signed out. Sign in again."],
  [endingCode]: ["account-ending", "This account is being deleted. Nobody can sign in to it."],
  PROVIDER_NOT_FOUND: [
    "sign-in-failed",
    "The sign-in server does not answer. Try again, or use another way to sign in.",
  ],
};

export async function explained<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    const known = sentences[cause.body?.code ?? ""] ?? byStatus[cause.status];
    if (!known) throw cause;
    throw new AccountError(...known, { cause });
  }
}

const byStatus: Readonly<Record<string, readonly [AccountError["code"], string]>> = {
  UNAUTHORIZED: ["signed-out", "You are signed out. Sign in again."],
  FORBIDDEN: ["not-allowed", "This sign-in is not allowed."],
  BAD_REQUEST: ["sign-in-failed", "This request cannot be used. Start again."],
  NOT_FOUND: ["sign-in-failed", "This no longer exists. Start again."],
};

interface AuthFailure extends Error {
  readonly status: string;
  readonly body?: { readonly code?: string };
}

function isRefusal(error: unknown): error is AuthFailure {
  return error instanceof Error && error.name === "APIError" && "status" in error;
}
