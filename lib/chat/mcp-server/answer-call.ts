import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
} from "@modelcontextprotocol/server";
import type { ConnectedClient } from "./connected-client";

export class CallRefusedError extends Error {
  override readonly name = "CallRefusedError";
}

/** A failure is a result, so that the model can correct its call. */
export async function answerCall(
  client: ConnectedClient,
  call: () => Promise<Record<string, unknown>>,
): Promise<CallToolResult> {
  try {
    const structuredContent = await call();
    const text = JSON.stringify(structuredContent, null, 2);
    return { content: [{ type: "text", text }], structuredContent };
  } catch (error) {
    const text = error instanceof CallRefusedError ? error.message : client.explain(error).message;
    return { content: [{ type: "text", text }], isError: true };
  }
}

export async function answerRequest<Answer extends Result>(
  client: ConnectedClient,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const outcome = await request().catch((error: unknown) => protocolErrorOf(client, error));
  if (outcome instanceof ProtocolError) throw outcome;
  return outcome;
}

function protocolErrorOf(client: ConnectedClient, error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  if (error instanceof CallRefusedError) return new ProtocolError(InvalidParams, error.message);
  const { status, message } = client.explain(error);
  return new ProtocolError(status < 500 ? InvalidParams : InternalError, message);
}

export function badCursor(): CallRefusedError {
  return new CallRefusedError("Send a cursor that an earlier page returned.");
}
