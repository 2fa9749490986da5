import type { SessionMessagePart, StoredMessage } from "grove-session";
import { z } from "zod";
import type { SendFacts } from "@/lib/chat/core/owner-data";
import type { NewRun, Question, RunRecord } from "@/lib/chat/core/run-store";
import type { Pause } from "@/lib/chat/runs/pause";
import type { SentInFull } from "@/lib/chat/sessions/model-input";
import { assistantRef } from "@/lib/chat/wire/assistants";
import { type ChatParameters, modelParameters } from "@/lib/chat/wire/request-fields";
import type { MemoryMode } from "@/lib/chat/wire/sessions";
import type { ResolvedModel } from "@/lib/llm";
import type { ProgramCall } from "./program-call";

const choices = z.object({
  choice: z
    .enum(["default", "project", "first-answering", "first-set-up", "demo"])
    .optional()
    .catch(undefined),
  variation: z.int().min(0).default(0),
  isTogether: z.boolean().default(false),
  /** The cut-off answer to continue; its kept parts are the first `chunks` of this one. */
  kept: z
    .object({ id: z.string(), chunks: z.int().min(0), thoughtMs: z.array(z.number()) })
    .nullable()
    .default(null),
  /** The assistant asked with `@` for this answer alone brings its parameters. */
  assistant: assistantRef
    .extend({ parameters: modelParameters.optional(), goneModel: z.string().optional() })
    .nullable()
    .catch(null)
    .default(null),
});

/** Stored with the run, so that any process continues or ends the answer as it began. */
export type Order = Readonly<z.output<typeof choices>> &
  Pick<RunRecord, "id" | "sessionId" | "messageId" | "parentId" | "model" | "keyId" | "request">;

/** Runs of version 0.2 stored no choices. */
export function orderOf({ id, sessionId, messageId, parentId, model, ...run }: RunRecord): Order {
  const { keyId, request, plan } = run;
  return {
    id,
    sessionId,
    messageId,
    parentId,
    model,
    keyId,
    request,
    ...(choices.safeParse(plan).data ?? noChoices),
  };
}

const noChoices = { variation: 0, isTogether: false, kept: null, assistant: null };

export function newOrder(
  order: Pick<Order, "sessionId" | "messageId" | "parentId" | "model"> & Partial<Order>,
): Order {
  const { messageId: id } = order;
  return { id, keyId: null, request: null, ...noChoices, ...order };
}

export function newRunOf(order: Order): NewRun {
  const { id, sessionId, messageId, parentId, model, keyId, request } = order;
  return {
    ...{ id, sessionId, messageId, parentId, model },
    ...(request !== null && { request }),
    ...(keyId !== null && { keyId }),
    plan: choices.parse(order),
  };
}

/** Four models would note the same four times. */
export function memoryModeFor({ isTogether }: Order, mode: MemoryMode): MemoryMode {
  return isTogether && mode === "on" ? "ask" : mode;
}

/** Each leg reads its settings again on purpose: they may have changed. */
export interface Leg {
  readonly begun: Begun;
  readonly resolved: ResolvedModel;
  readonly memoryMode: MemoryMode;
  readonly sentInFull: SentInFull;
  readonly program?: ProgramCall | undefined;
  readonly parameters?: ChatParameters | undefined;
  readonly facts?: SendFacts | undefined;
  readonly renewsPrompt?: boolean | undefined;
  readonly question?: Question | undefined;
  readonly leafStored?: Promise<void> | undefined;
  readonly kept?: readonly SessionMessagePart[] | undefined;
}

export function leafOf(
  { messageId, parentId, kept }: Order,
  { begun }: Pick<Leg, "begun">,
): string {
  return begun.before ? messageId : (kept?.id ?? parentId);
}

export interface Begun {
  readonly part: number;
  readonly before: Pick<StoredMessage, "parts" | "metadata"> | null;
  readonly waiting?: Pause;
}

export const firstLeg: Begun = { part: 0, before: null };
