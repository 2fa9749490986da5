import type { UIMessageChunk } from "ai";
import { SessionEvents } from "grove-session";
import type { Sql } from "grove-session/postgres";
import { type RunEvents, Runner, type RunnerOptions } from "@/lib/chat/answering/runner";
import { type Answering, answerMessage, sendMessage } from "@/lib/chat/answering/send-message";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { asPerson, inOwnSpace } from "@/lib/chat/core/person-in-space";
import type { SecretSealer } from "@/lib/chat/core/settings-store";
import type {
  AnswerStatus,
  GroveMessage,
  SendRequest,
  SendResponse,
} from "@/lib/chat/wire/messages";
import { sendRequest, startRunRequest } from "@/lib/chat/wire/messages";
import { demoSource } from "@/lib/demo/demo-model";
import type { ModelInfo, ResolvedModel } from "@/lib/llm";
import { type OwnerServices, ownerServices } from "@/lib/server/owner-services";

/** The runs of a server process. */
export interface ChatProcess {
  readonly runner: Runner;
  /** Errors of background work. */
  readonly failures: unknown[];
  /** Resolves once the run has ended in this process and been reported. */
  ended(runId: string): Promise<AnswerStatus>;
}

export function chatProcess({
  finished,
  ...options
}: Partial<Pick<RunEvents, "finished">> & RunnerOptions = {}): ChatProcess {
  const ends = new Map<string, PromiseWithResolvers<AnswerStatus>>();
  const failures: unknown[] = [];
  const endOf = (runId: string) => {
    const end = ends.get(runId) ?? Promise.withResolvers<AnswerStatus>();
    ends.set(runId, end);
    return end;
  };
  const events: RunEvents = {
    started: () => undefined,
    summaryStarted: () => undefined,
    summaryDismissed: () => undefined,
    read: () => undefined,
    summaryFinished: (_, run) => {
      if (run.status !== "running") endOf(run.id).resolve(run.status);
    },
    finished: async (owner, run, status) => {
      await finished?.(owner, run, status);
      endOf(run.id).resolve(status);
    },
    failed: (error) => void failures.push(error),
  };
  const runner = new Runner(events, options);
  return { runner, failures, ended: (runId) => endOf(runId).promise };
}

/** Seals nothing, but opens only with its context. */
export const plainSealer: SecretSealer = {
  seal: async (secret, context) => JSON.stringify([secret, context]),
  open: async (envelope, context) => {
    const [secret, sealedFor] = JSON.parse(envelope) as [string, string];
    return sealedFor === context ? secret : null;
  },
};

/** A new owner in a database. */
export function newOwner(
  sql: Sql,
  ownerId: string = crypto.randomUUID(),
  options: Partial<Parameters<typeof ownerServices>[0]> = {},
): OwnerServices {
  const events = new SessionEvents(ownerId);
  const who = inOwnSpace(asPerson(ownerId));
  return ownerServices({ sql, chunkSql: sql, ...who, events, ...options });
}

/** The scripted model without pauses. */
export function demoModel(): Promise<ResolvedModel> {
  return demoSource({ GROVE_DEMO_DELAY_MS: "0" }).resolve({
    provider: "demo",
    modelId: "grove-demo",
  });
}

/** A resolved model: one dollar per million tokens, and a window of 8,000 by default. */
export function resolvedModel(
  model: ResolvedModel["model"],
  info: Partial<ModelInfo> = {},
): ResolvedModel {
  return {
    model,
    info: {
      ref: "test/model",
      label: "Test",
      provider: "test",
      providerLabel: "Test",
      contextWindow: 8_000,
      maxOutput: null,
      price: { inputPerMillion: 1, outputPerMillion: 1 },
      isDemo: false,
      isLocal: false,
      capabilities: { tools: true, reasoning: false, images: false, pdfs: false },
      ...info,
    },
  };
}

/** A conversation of one owner in one process with one model. */
export class Conversation {
  readonly answering: Answering;

  constructor(
    readonly owner: OwnerData,
    readonly process: ChatProcess,
    resolved: ResolvedModel,
    readonly sessionId: string = crypto.randomUUID(),
  ) {
    this.answering = { owner, runner: process.runner, chooseModel: async () => resolved };
  }

  /** Sends a text; the first one creates the session. */
  send(text: string, request: Partial<SendRequest> = {}): Promise<SendResponse> {
    return sendMessage(
      this.answering,
      this.sessionId,
      sendRequest.parse({
        id: crypto.randomUUID(),
        parts: [{ type: "text", text }],
        newSession: {},
        ...request,
      }),
    );
  }

  /** Stores a text without requesting an answer. */
  async say(text: string, request: Partial<SendRequest> = {}): Promise<string> {
    return (await this.send(text, { ...request, generate: false })).entry.message.id;
  }

  /** Asks for another answer to a message, and waits for it. */
  async askAgain(parentId: string): Promise<GroveMessage> {
    const request = startRunRequest.parse({ parentId, answerId: crypto.randomUUID() });
    const { id, messageId } = await answerMessage(this.answering, this.sessionId, request);
    await this.process.ended(id);
    return this.message(messageId);
  }

  /** Sends a text and waits for the complete answer. */
  async ask(text: string, request: Partial<SendRequest> = {}): Promise<GroveMessage> {
    const { run } = await this.send(text, request);
    if (!run) throw new Error("The message was sent without asking for an answer.");
    await this.process.ended(run.id);
    return this.message(run.messageId);
  }

  async message(id: string): Promise<GroveMessage> {
    const message = await this.owner.store.messages(this.sessionId).getMessage(id);
    if (!message) throw new Error(`Message ${id} is not stored.`);
    return message as unknown as GroveMessage;
  }

  /** All chunks of a run from `after` to its end. */
  watch(runId: string, after = 0, process: ChatProcess = this.process): Promise<UIMessageChunk[]> {
    const signal = new AbortController().signal;
    return Array.fromAsync(process.runner.follow(this.owner, { runId, after, signal }));
  }

  /** Resolves when viewers of a run have received a chunk of this type. */
  async readsUpTo(runId: string, type: UIMessageChunk["type"]): Promise<void> {
    const signal = new AbortController().signal;
    const chunks = this.process.runner.follow(this.owner, { runId, after: 0, signal });
    for await (const chunk of chunks) if (chunk.type === type) return;
  }
}

export function textOf(message: Pick<GroveMessage, "parts">): string {
  return message.parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

export function textIn(chunks: readonly UIMessageChunk[]): string {
  return chunks.map((chunk) => (chunk.type === "text-delta" ? chunk.delta : "")).join("");
}
