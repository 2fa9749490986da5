import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { cleanText } from "@/lib/chat/core/clean-text";
import { redactSecrets } from "@/lib/llm";
import { SignInNeededError } from "./sign-in";
import { ToolFailedError } from "./tool-output";

export type Hide = (text: string) => string;

/** The SDK wraps a failure of the first request at any depth. */
export function isUnauthorized(error: unknown): boolean {
  if (error instanceof UnauthorizedError || error instanceof SignInNeededError) return true;
  if (error instanceof SdkHttpError && error.status === 401) return true;
  return error instanceof Error && error.cause !== undefined && isUnauthorized(error.cause);
}

/** @param hide `null` where the keys are unknown, so that none of the server's words can be shown. */
export function failureSentence(error: unknown, server: string, hide: Hide | null): string {
  if (isUnauthorized(error)) return new SignInNeededError(server).message;
  if (!hide) return `The call of “${server}” failed.`;
  const isLate = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  if (isLate) return `“${server}” did not answer in time.`;
  if (error instanceof SdkError && isClosed(error)) return `“${server}” ended before it answered.`;
  if (isMissing(error)) return `The program of “${server}” was not found.`;
  const message = error instanceof Error ? error.message : String(error);
  if (unreachable.test(message)) return `Can't reach “${server}”. Is it running?`;
  const bounded = message.slice(0, mostSearched);
  // The issues of a model's input are in the server's own words, and correct the model.
  const isOwn = error instanceof ToolFailedError || error instanceof ProtocolError;
  const isInvalid = error instanceof SdkError && error.code === SdkErrorCode.InvalidResult;
  if (isInvalid || (!isOwn && schemaIssues.test(bounded)))
    return `“${server}” answered in a form that Grove cannot read.`;
  const hidden = redactSecrets(hide(cleanText(bounded)));
  const unread =
    message.length - bounded.length + (error instanceof ToolFailedError ? error.leftOut : 0);
  // A key that was cut is not found, and is at the end.
  const known = unread > 0 ? Math.max(0, hidden.length - longestKey) : hidden.length;
  const shown = hidden.slice(0, Math.min(mostShown, known));
  const leftOut = unread + hidden.length - shown.length;
  if (leftOut === 0) return shown;
  return `${shown.toWellFormed()}… (${leftOut.toLocaleString("en")} more characters)`;
}

function isClosed({ code }: SdkError): boolean {
  return code === SdkErrorCode.ConnectionClosed || code === SdkErrorCode.NotConnected;
}

function isMissing(error: unknown): boolean {
  const { code, syscall = "" } = Object(error) as NodeJS.ErrnoException;
  return code === "ENOENT" && syscall.startsWith("spawn");
}

/** Node's words for any failed connection, which the SDK may precede with its own. */
const unreachable = /(?:^|: )fetch failed$/;

const mostSearched = 20_000;
const mostShown = 2_000;
const longestKey = 8_000;

/** The SDK's errors hold the issues of its schema. */
const schemaIssues = /"code": ?"(?:invalid|unrecognized|too)_|Invalid input: expected/;
