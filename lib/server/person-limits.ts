import type { Accounts } from "@/lib/accounts/accounts";
import { type Allowance, monthEnd, refusal } from "@/lib/accounts/allowance";
import { ChatError } from "@/lib/chat/core/chat-error";
import { type PersonId, temporarySpace } from "@/lib/chat/core/person-in-space";
import type { RunBudget } from "@/lib/chat/core/run-store";
import type { AllowanceWire } from "@/lib/chat/wire/accounts";

export class PersonLimits {
  readonly #accounts: Pick<Accounts, "store"> | null;

  constructor(accounts: Pick<Accounts, "store"> | null) {
    this.#accounts = accounts;
  }

  /** Call before anything is sent to a model. */
  async assertMayAsk(personId: PersonId): Promise<void> {
    const found = await this.#find(personId);
    const sentence = found && refusal(found.allowance, await found.administrators());
    if (sentence) throw new ChatError("over-budget", sentence);
  }

  async budgetOf(personId: PersonId): Promise<Omit<RunBudget, "keyDollars">> {
    const ownerIds = [personId, temporarySpace(personId)];
    const found = await this.#accounts?.store.limits.limitsOf(personId);
    if (!this.#accounts || !found) return { ownerIds, messages: null, dollars: null };
    const { monthlyDollars, messagesPerDay } = found.limits;
    const { dollars, messages } = await this.#accounts.store.limits.deletedBy(
      personId,
      found.policy,
    );
    return {
      ownerIds,
      messages: messagesPerDay === null ? null : messagesPerDay - messages,
      dollars: monthlyDollars === null ? null : monthlyDollars - dollars,
    };
  }

  async view(personId: PersonId): Promise<AllowanceWire | null> {
    const found = await this.#find(personId);
    if (!found) return null;
    const { limits, spent, now } = found.allowance;
    const storedBytes = (await this.#accounts?.store.limits.storedBy(personId)) ?? 0;
    return { limits, spent: { ...spent, storedBytes }, startsAgainAt: monthEnd(now).toISOString() };
  }

  /** Call before usage is deleted, which would fill the budget up again. */
  async carry(personId: PersonId): Promise<void> {
    if (!this.#accounts) return;
    const { limits, policies } = this.#accounts.store;
    const found = await limits.limitsOf(personId);
    if (!found) return;
    const carried = await limits.carriedBy(personId, found.policy);
    await policies.change(found.userId, { carried });
  }

  async #find(personId: PersonId) {
    if (!this.#accounts) return null;
    const { store } = this.#accounts;
    const found = await store.limits.limitsOf(personId);
    if (!found) return null;
    const spent = await store.limits.spentBy(personId, found.policy);
    const allowance: Allowance = { limits: found.limits, spent, now: new Date() };
    const administrators = async () =>
      (await store.people()).filter(({ role }) => role === "owner").map(({ name }) => name);
    return { userId: found.userId, allowance, administrators };
  }
}
