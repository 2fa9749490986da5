import { ChatError } from "@/lib/chat/core/chat-error";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import type { BudgetRefusal, NewRun, RunBudget, RunStore } from "@/lib/chat/core/run-store";
import { leaseMs } from "./lease";
import { hasLimit } from "./reserve";

/** Keep a new run of an owner from starting. */
export interface RunLimits {
  /** Answers of one owner at once, and summaries. */
  readonly maxRunning: number;
  /** @throws {ChatError} `over-budget`. */
  readonly assertMayAsk: (ownerId: string) => Promise<void>;
  readonly budgetOf: (ownerId: string) => Promise<Omit<RunBudget, "keyDollars">>;
}

interface StartRunOptions {
  readonly owner: Pick<OwnerData, "ownerId" | "runs">;
  readonly run: NewRun;
  /** Most that the key of the program may spend in a month. */
  readonly keyDollars?: number | null | undefined;
  /** The run waits for it. */
  readonly leafStored?: Promise<void> | undefined;
}

/** Returns an existing run of the message; `null` above the limit of runs at once. @throws {ChatError} over another one. */
export async function startRun(
  { maxRunning, assertMayAsk, budgetOf }: RunLimits,
  { owner: { ownerId, runs }, run, keyDollars = null, leafStored }: StartRunOptions,
): ReturnType<RunStore["start"]> {
  const [limits] = await Promise.all([budgetOf(ownerId), leafStored]);
  // A summary is no message of the person.
  const messages = run.plan === undefined ? limits.messages : null;
  const budget = { ...limits, messages, keyDollars };
  if (!hasLimit(budget)) return runs.start(run, leaseMs, { maxRunning });
  const started = await runs.startWithin(budget, run, { leaseMs, maxRunning });
  if (typeof started !== "string") return started;
  if (started === "key") throw new ChatError("over-key-limit", reservedSentences.key);
  await assertMayAsk(ownerId);
  throw new ChatError("over-budget", reservedSentences[started]);
}

const reservedSentences: Readonly<Record<BudgetRefusal, string>> = {
  messages: "The last of your messages of today is being answered, so no model was asked.",
  dollars:
    "What is being written may use what is left of your limit, so no model was asked. Wait for it to finish.",
  key: "What is being written may use what is left of the limit of this key, so no model was asked. Wait for it to finish, or raise the limit in Settings, Programs.",
};
