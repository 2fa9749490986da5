import type { UIMessageChunk } from "ai";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { RunRecord } from "@/lib/chat/core/run-store";
import { storedChunks } from "@/lib/chat/files/answer-files";
import type { ChunkLog } from "@/lib/chat/runs/chunk-log";
import type { LiveRun } from "@/lib/chat/runs/live-runs";
import type { AnswerStatus, GroveMetadata } from "@/lib/chat/wire/messages";
import { formatProblem } from "./answer-format";
import type { PreparedInput } from "./answer-input";
import { type Given, leftOutOf, receiptAtEnd, receiptOnce, sentOf } from "./answer-receipt";
import { ChunkRepair } from "./chunk-repair";
import type { Cut } from "./ended";
import { goingOn, keptChunks, openText } from "./kept-answer";
import {
  type ModelCall,
  type ModelOutcome,
  noOutcome,
  reportOf,
  streamModel,
  UnreadInputError,
} from "./model-stream";
import type { Leg, Order } from "./order";
import { settle } from "./settle";
import { ThoughtTimes } from "./thought-times";

export interface Turn {
  readonly owner: OwnerData;
  readonly run: RunRecord;
  readonly order: Order;
  readonly leg: Leg;
  readonly input: PreparedInput;
  readonly live: LiveRun;
  readonly log: ChunkLog;
  readonly limits: ModelCall["limits"];
  readonly failed: (error: unknown) => void;
}

/**
 * The life of a turn. A question makes an *order*, a row of `chat_run` that any process can read. The `Runner` starts
 * its first *leg* while the model's input is read, and the next one when the person has decided about the calls for
 * which it paused. A leg writes *entries*: what the model was sent, its chunks, its report, or what cut it off. Chunks
 * reach viewers at once and the database in batches; `AnswerSpool` keeps them while that is away. `ended` alone decides
 * what entries come to; `settle` alone stores message, run, receipt and pause together. Another process settles an
 * answer whose process is gone (`recoverAnswer`). @returns the stored status; `null` when another process has ended the
 * run.
 */
export async function answer(turn: Turn): Promise<AnswerStatus | null> {
  const { owner, run, leg, live, log, failed } = turn;
  const { emit, thought } = begin(turn);
  const outcome = noOutcome();
  const given = await giveToModel(turn, { outcome, emit });
  if (isWhole(outcome)) outcome.error = wrongFormat(turn);
  const reported = reportOf(outcome, {
    sent: given?.receipt.parameters,
    leftOut: given && leftOutOf(given.input),
    ...(given?.input.messages.length === 1 && { first: given.receipt.tokens }),
    thoughtMs: thought.all(),
  });
  const cut = outcome.aborted ? [cutOf(live)] : [];
  let isLogged = true;
  const stored = await settle({
    ...{ owner, run, failed, begun: leg.begun },
    entries: [sentOf(leg, given), ...live.chunks, reported, ...cut],
    receiptOf: (end) => given && receiptAtEnd(given, { end, outcome, found: turn.input.found }),
    log: async (finish) => {
      if (!live.isLost) log.add(finish);
      isLogged = await log.close();
    },
    // The end of an answer exists only in memory, so waiting for the database is progress.
    onFailure: () => {
      live.noteProgress();
      log.keep();
    },
  });
  // Viewers in other processes read the log.
  if (!isLogged) await log.close();
  await log.removeSpooled();
  if (!stored) return null;
  live.push({ type: "finish", messageMetadata: stored });
  if (outcome.error instanceof UnreadInputError && !outcome.aborted) failed(outcome.error);
  return stored.status;
}

function isWhole({ error, aborted, limit, finishReason }: ModelOutcome): boolean {
  return (error ?? null) === null && !aborted && limit === null && finishReason === "stop";
}

function wrongFormat({ leg: { program }, live }: Turn): Error | null {
  return program ? formatProblem(program.format, live.chunks) : null;
}

function begin({ order, leg, live, log }: Turn) {
  const thought = new ThoughtTimes();
  const repair = new ChunkRepair(leg.begun.before?.parts);
  const pass = (chunk: UIMessageChunk) => {
    log.add(chunk);
    live.push(chunk);
  };
  const emit = (given: UIMessageChunk) => {
    for (const chunk of repair.repaired(given)) {
      thought.note(chunk);
      pass(chunk);
    }
  };
  const { id: runId, messageId, model, kept } = order;
  const continued = leg.kept && kept ? { continuedFrom: kept.id } : {};
  const messageMetadata = { runId, model, ...continued } satisfies GroveMetadata;
  emit({ type: "start", messageId, messageMetadata });
  for (const chunk of keptChunks(leg.kept ?? []).flatMap((each) => repair.repaired(each)))
    pass(chunk);
  return { emit, thought };
}

async function giveToModel(
  { owner, run, order, leg, live, limits, ...turn }: Turn,
  { outcome, emit }: { outcome: ModelOutcome; emit: (chunk: UIMessageChunk) => void },
): Promise<Given | null> {
  try {
    const input = await turn.input.read();
    const { model, info } = leg.resolved;
    const kept = leg.kept ?? [];
    const call = {
      ...{ ...input, limits, model, signal: live.signal, variation: order.variation },
      attached: { files: owner.files, takes: info.capabilities },
      ...(openText(kept) === null && { showText: emit }),
    };
    const begun = Promise.withResolvers<void>();
    const passOn = async () => {
      for await (const chunk of goingOn(streamModel(call, outcome), kept, input)) {
        if (chunk.type !== "file") emit(chunk);
        else for (const stored of await storedChunks(owner.files, chunk)) emit(stored);
        begun.resolve();
      }
      begun.resolve();
    };
    const receipt = receiptOnce(begun.promise, { owner, run, order, leg, input });
    const [given] = await Promise.all([receipt, passOn()]);
    return given;
  } catch (error) {
    outcome.aborted ||= live.signal.aborted;
    outcome.error ??= error;
    return null;
  }
}

function cutOf({ endsAs, problem }: LiveRun): Cut {
  if (endsAs === "stopped") return { type: "cut", by: "person" };
  return problem ? { type: "cut", by: "stall", problem } : { type: "cut", by: "shutdown" };
}
