import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { UIMessageChunk } from "ai";
import type { Sql } from "grove-session/postgres";
import { expect, onTestFinished } from "vitest";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { SpaceId } from "@/lib/chat/core/person-in-space";
import { AnswerSpool } from "@/lib/chat/runs/answer-spool";
import { leaseMs } from "@/lib/chat/runs/lease";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import type { ModelInfo } from "@/lib/llm";
import { recoverRuns } from "@/lib/server/recover-runs";
import { RunClaims } from "@/lib/storage/runs/run-claims";
import { Conversation, chatProcess, demoModel, newOwner, resolvedModel } from "./chat-fixture";
import { ManualModel } from "./manual-model";

interface ChatOptions extends NonNullable<Parameters<typeof chatProcess>[0]> {
  readonly owner?: OwnerData;
  readonly sessionId?: string;
  readonly info?: Partial<ModelInfo>;
}

/** A conversation with a model the test controls. */
export function manualChat(
  sql: Sql,
  { owner = newOwner(sql), sessionId, info, ...options }: ChatOptions = {},
) {
  const model = new ManualModel();
  const process = chatProcess(options);
  const conversation = new Conversation(
    owner,
    process,
    resolvedModel(model.model, info),
    sessionId,
  );
  return { model, conversation, owner, process };
}

/** A conversation with the demo model. */
export async function demoChat(sql: Sql): Promise<Conversation> {
  return new Conversation(newOwner(sql), chatProcess(), await demoModel());
}

/** A question whose answer has begun with `text`. */
export async function begunAnswer(sql: Sql, text = "Half an ") {
  const chat = manualChat(sql);
  const turn = chat.model.turn().say(text);
  const { run, entry } = await chat.conversation.send("Question");
  if (!run) throw new Error("No answer was asked for.");
  if (text !== "") await chat.conversation.readsUpTo(run.id, "text-delta");
  return { ...chat, run, questionId: entry.message.id, turn };
}

export const answerStart: UIMessageChunk = { type: "start", messageId: "answer" };

export const halfAnAnswer: readonly UIMessageChunk[] = [
  answerStart,
  { type: "start-step" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Half an " },
  { type: "text-delta", id: "t", delta: "answer" },
];

/** A question whose answer, with the id "answer", was being written by a dead process. */
export async function abandonedAnswer(sql: Sql, chunks: readonly UIMessageChunk[] = halfAnAnswer) {
  const chat = manualChat(sql);
  const { conversation, owner } = chat;
  const { sessionId } = conversation;
  const parentId = await conversation.say("Question");
  const run = { id: "answer", sessionId, messageId: "answer", parentId, model: "test/model" };
  await owner.runs.start(run, -1, { maxRunning: 100 });
  await owner.runs.appendChunks(run.id, 0, chunks);
  return { ...chat, run };
}

/** The answer once a run that was decided about has ended. */
export async function endedAnswer(
  { owner, process, conversation }: ReturnType<typeof manualChat>,
  answerId: string,
): Promise<GroveMessage> {
  for (;;) {
    const run = await owner.runs.get(answerId);
    if (run && run.status !== "running" && !process.runner.live.get(owner.spaceId, run.id))
      return conversation.message(answerId);
    await delay(20);
  }
}

/** A server's periodic work. @returns the ids of the owner's answers that it ended. */
export async function sweep(
  sql: Sql,
  owner: OwnerData,
  spool: AnswerSpool | null = null,
): Promise<string[]> {
  const ended: string[] = [];
  const finished = ({ spaceId }: OwnerData, { id }: { id: string }) => {
    if (spaceId === owner.spaceId) ended.push(id);
  };
  const { runner } = chatProcess({ finished, spool });
  const dataOf = (id: SpaceId) => (id === owner.spaceId ? owner : newOwner(sql, id));
  await recoverRuns({ claims: new RunClaims(sql, { leaseMs }), runner, dataOf });
  return ended;
}

export async function temporarySpool(): Promise<AnswerSpool> {
  const folder = await mkdtemp(join(tmpdir(), "grove-spool-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return new AnswerSpool(folder, (error) => expect.unreachable(String(error)));
}

/** An owner whose methods fail where `faultOf` their name gives an error. */
export function withFaults(owner: OwnerData, faultOf: (method: string) => Error | null): OwnerData {
  const faulty = <Target extends object>(target: Target): Target =>
    new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          const fault = faultOf(String(name));
          return fault ? Promise.reject(fault) : Reflect.apply(value, target, given);
        };
      },
    });
  const { store } = owner;
  return {
    ...owner,
    runs: faulty(owner.runs),
    usage: faulty(owner.usage),
    store: {
      sessions: faulty(store.sessions),
      proposals: store.proposals,
      messages: (sessionId) => faulty(store.messages(sessionId)),
      block: (address) => store.block(address),
      writeBlocks: (writes) => store.writeBlocks(writes),
      promptCache: (sessionId) => store.promptCache(sessionId),
    },
  };
}
