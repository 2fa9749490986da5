import { fileSize } from "@/app/_data/files/file-words";
import { countOf, formatCount, formatDollars, formatNumber } from "@/app/_ui/format-amount";
import type { AllowanceWire, LimitsWire } from "@/lib/chat/wire/accounts";

export function limitWords({
  monthlyDollars,
  messagesPerDay,
  storedMegabytes,
}: LimitsWire): string {
  const words = [
    monthlyDollars === null ? [] : `${wholeDollars(monthlyDollars)} a month`,
    messagesPerDay === null ? [] : `${countOf(messagesPerDay, "message")} a day`,
    storedMegabytes === null ? [] : `${sizeOf(storedMegabytes)} of files`,
  ].flat();
  return words.length === 0 ? "no limits" : words.join(", ");
}

export function leftWords({ limits, spent }: AllowanceWire): string[] {
  const { monthlyDollars, messagesPerDay, storedMegabytes } = limits;
  const dollars = (amount: number) => formatDollars(Math.max(0, amount));
  return [
    monthlyDollars === null
      ? []
      : `${dollars(monthlyDollars - spent.dollars)} of ${wholeDollars(monthlyDollars)} left this month`,
    messagesPerDay === null
      ? []
      : `${formatCount(Math.max(0, messagesPerDay - spent.messages))} of ${countOf(messagesPerDay, "message")} left today`,
    storedMegabytes === null
      ? []
      : `${fileSize(spent.storedBytes)} of ${sizeOf(storedMegabytes)} of files stored`,
  ].flat();
}

function wholeDollars(amount: number): string {
  return `$${formatNumber(amount, 2)}`;
}

function sizeOf(megabytes: number): string {
  return fileSize(megabytes * 1_000_000);
}
