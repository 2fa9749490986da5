import { fileSize } from "@/app/_data/files/file-words";
import type { AllowanceWire, LimitsWire } from "@/lib/chat/wire/accounts";

/** “$5 a month, 20 messages a day”. */
export function limitWords({
  monthlyDollars,
  messagesPerDay,
  storedMegabytes,
}: LimitsWire): string {
  const words = [
    monthlyDollars === null ? [] : `$${monthlyDollars} a month`,
    messagesPerDay === null ? [] : `${messagesPerDay} messages a day`,
    storedMegabytes === null ? [] : `${sizeOf(storedMegabytes)} of files`,
  ].flat();
  return words.length === 0 ? "no limits" : words.join(", ");
}

export function leftWords({ limits, spent }: AllowanceWire): string[] {
  const { monthlyDollars, messagesPerDay, storedMegabytes } = limits;
  const dollars = (amount: number) => `$${Math.max(0, amount).toFixed(2)}`;
  return [
    monthlyDollars === null
      ? []
      : `${dollars(monthlyDollars - spent.dollars)} of $${monthlyDollars} left this month`,
    messagesPerDay === null
      ? []
      : `${Math.max(0, messagesPerDay - spent.messages)} of ${messagesPerDay} messages left today`,
    storedMegabytes === null
      ? []
      : `${fileSize(spent.storedBytes)} of ${sizeOf(storedMegabytes)} of files stored`,
  ].flat();
}

function sizeOf(megabytes: number): string {
  return fileSize(megabytes * 1_000_000);
}
