import { TriangleAlert } from "lucide-react";
import { classNames } from "@/app/_ui/class-names";
import type { GaugeLevel } from "./gauge-view";

const sentences: Record<Exclude<GaugeLevel, "calm">, string> = {
  warn: "The context window is filling up. Compact to summarize older messages. Nothing is lost.",
  full: "The context window is almost full, so the next answer may not fit. Compact now or unload a skill.",
};

export function GaugeWarning({ level }: { level: GaugeLevel }) {
  if (level === "calm") return null;
  return (
    <p
      role="status"
      className={classNames(
        "flex gap-2.5 rounded-lg p-3.5 text-sm",
        level === "full" ? "bg-danger-soft text-danger" : "bg-warn-soft text-warn",
      )}
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {sentences[level]}
    </p>
  );
}
