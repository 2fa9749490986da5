import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { PersonId } from "@/lib/chat/core/person-in-space";
import type {
  BudgetRefusal,
  NewRun,
  Question,
  RunBudget,
  StartedRun,
} from "@/lib/chat/core/run-store";
import type { ModelInfo } from "@/lib/llm";
import { leaseMs } from "./lease";

export interface RunLimits {
  readonly maxRunning: number;
  readonly assertMayAsk: (personId: PersonId) => Promise<void>;
  readonly budgetOf: (personId: PersonId) => Promise<Omit<RunBudget, "keyDollars">>;
}

interface StartRunOptions {
  readonly owner: Pick<OwnerData, "personId" | "runs" | "store">;
  readonly run: NewRun;
  readonly keyDollars?: number | null | undefined;
  readonly leafStored?: Promise<void> | undefined;
  readonly question?: Question | undefined;
}

/**
 * Stores the question in the same step where it can. Returns an existing run of the message; `null` above the limit.
 * @throws {ChatError} over another one.
 */
export async function startRun(
  { maxRunning, assertMayAsk, budgetOf }: RunLimits,
  { owner, run, keyDollars = null, leafStored, question }: StartRunOptions,
): Promise<StartedRun | null> {
  const { personId, runs, store } = owner;
  const [limits] = await Promise.all([budgetOf(personId), leafStored]);
  const messages = run.kind === "summary" ? null : limits.messages;
  const given = { ...limits, messages, keyDollars };
  const budget = hasLimit(given) ? given : null;
  const most = { leaseMs, maxRunning };
  const asked = question ? await runs.ask(question, budget, run, most) : "apart";
  if (asked === "apart" && question) {
    if (!(await runs.mayStart(run.id, most))) return null;
    await store.messages(run.sessionId).appendMessage(question.message, question.parentId);
  }
  const started = asked === "apart" ? await runs.startWithin(budget, run, most) : asked;
  if (typeof started !== "string") return started;
  if (started === "key") throw new ChatError("over-key-limit", reservedSentences.key);
  await assertMayAsk(personId);
  throw new ChatError("over-budget", reservedSentences[started]);
}

const reservedSentences: Readonly<Record<BudgetRefusal, string>> = {
  messages: "The last of your messages of today is being answered, so no model was asked.",
  dollars:
    "What is being written may use what is left of your limit, so no model was asked. Wait for it to finish.",
  key: "What is being written may use what is left of the limit of this key, so no model was asked. Wait for it to finish, or raise the limit in Settings, API keys.",
};

const usualWindow = 128_000;
const usualOutput = 8_192;

/** A full window's cost, until the input is known. */
export function reservedDollars(
  { price, charged, contextWindow, maxOutput }: ModelInfo,
  { inputTokens, maxOutputTokens }: { inputTokens?: number; maxOutputTokens?: number | undefined },
): number {
  const { inputPerMillion = 0, outputPerMillion = 0 } = charged ?? price ?? {};
  const input = inputTokens ?? contextWindow ?? usualWindow;
  const output = maxOutputTokens ?? maxOutput ?? usualOutput;
  return (input * inputPerMillion + output * outputPerMillion) / 1_000_000;
}

function hasLimit({ messages, dollars, keyDollars }: RunBudget): boolean {
  return messages !== null || dollars !== null || keyDollars !== null;
}
