import type { LimitsWire } from "@/lib/chat/wire/accounts";
import type { Spent } from "@/lib/storage/accounts/person-limits-store";

export interface Allowance {
  readonly limits: LimitsWire;
  readonly spent: Spent;
  readonly now: Date;
}

export function refusal({ limits, spent, now }: Allowance, administrators: readonly string[]) {
  const whom = administrators.length === 0 ? "an administrator" : administrators.join(" or ");
  const { monthlyDollars, messagesPerDay } = limits;
  if (monthlyDollars !== null && spent.dollars >= monthlyDollars)
    return `You have used ${money(spent.dollars)} of your ${money(monthlyDollars)} for ${monthOf(now)}, so nothing was sent. It starts again on ${dayOf(monthEnd(now))} (UTC). Ask ${whom} for more.`;
  if (messagesPerDay !== null && spent.messages >= messagesPerDay)
    return `You have sent your ${messagesPerDay} ${messagesPerDay === 1 ? "message" : "messages"} of today, so nothing was sent. You can go on at midnight UTC. Ask ${whom} for more.`;
  return null;
}

export function monthEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

function money(dollars: number): string {
  return `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`;
}

function monthOf(at: Date): string {
  return at.toLocaleDateString("en", { month: "long", timeZone: "UTC" });
}

function dayOf(at: Date): string {
  return at.toLocaleDateString("en", { month: "long", day: "numeric", timeZone: "UTC" });
}
