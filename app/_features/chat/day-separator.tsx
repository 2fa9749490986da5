export function DaySeparator({ day }: { day: string }) {
  const date = new Date(`${day}T12:00:00`);
  return (
    <p className="flex items-center gap-4 pt-6 pb-2 text-faint text-xs" suppressHydrationWarning>
      <span aria-hidden className="h-px flex-1 bg-line" />
      <time dateTime={day}>{dayWords(date, new Date())}</time>
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  );
}

function dayWords(date: Date, now: Date): string {
  const days = Math.round((startOf(now) - startOf(date)) / 86_400_000);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  return date.toLocaleDateString("en", {
    weekday: days < 7 ? "long" : undefined,
    day: "numeric",
    month: "long",
    year: date.getFullYear() === now.getFullYear() ? undefined : "numeric",
  });
}

function startOf(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
