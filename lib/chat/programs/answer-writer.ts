import type { UIMessageChunk } from "ai";
import type { Program } from "./program";
import { ProgramError } from "./program-error";
import type { FoundResponse } from "./response-object";
import { chunksOf, type JsonRecord } from "./response-writer";

export interface AnswerWriter {
  begin(): JsonRecord[];
  take(chunk: UIMessageChunk): JsonRecord[];
  /** @throws {ProgramError} for an answer that failed. */
  end(): JsonRecord[];
  /** @throws {ProgramError} for an answer that failed. */
  whole(): JsonRecord;
  failure(error: ProgramError): JsonRecord;
}

export async function* answerEvents(
  program: Program,
  found: FoundResponse,
  writer: AnswerWriter,
): AsyncGenerator<JsonRecord[]> {
  yield writer.begin();
  for await (const chunks of followed(program, found))
    yield chunks.flatMap((chunk) => writer.take(chunk));
  if (program.signal.aborted) return;
  try {
    yield writer.end();
  } catch (error) {
    yield [writer.failure(failureOf(error))];
  }
}

export async function wholeAnswer(
  program: Program,
  found: FoundResponse,
  writer: AnswerWriter,
): Promise<JsonRecord> {
  for await (const chunks of followed(program, found))
    for (const chunk of chunks) writer.take(chunk);
  return writer.whole();
}

/** Chunks are kept for an hour, the stored message for good. */
async function* followed(
  { runner, signal }: Program,
  { owner, run }: FoundResponse,
): AsyncGenerator<readonly UIMessageChunk[]> {
  let isLogged = false;
  let isWhole = false;
  for await (const chunks of runner.followBatches(owner, { runId: run.id, after: 0, signal })) {
    isLogged = true;
    isWhole ||= chunks.some(({ type }) => type === "finish");
    yield chunks;
  }
  if (isWhole || signal.aborted) return;
  const message = await owner.store.messages(run.sessionId).getMessage(run.messageId);
  if (!message) return;
  const end: UIMessageChunk = { type: "finish", messageMetadata: message.metadata };
  yield [...(isLogged ? [] : chunksOf(message.parts)), end];
}

function failureOf(error: unknown): ProgramError {
  if (error instanceof ProgramError) return error;
  throw error;
}
