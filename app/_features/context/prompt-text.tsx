import { ChevronRight } from "lucide-react";
import { promptSections } from "./prompt-sections";

export function PromptText({ prompt }: { prompt: string }) {
  if (prompt === "") return <p className="text-faint text-sm">The prompt is empty.</p>;
  return (
    <div className="flex flex-col gap-1.5">
      {promptSections(prompt).map(({ title, description, source }, at) => (
        <details
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their order, and titles may repeat
          key={at}
          className="group rounded-lg border border-line bg-raised"
        >
          <summary className="flex cursor-pointer list-none items-baseline gap-2 rounded-lg px-3.5 py-2 text-sm -outline-offset-2 marker:hidden">
            <span className="shrink-0 font-medium">{title ?? "Text"}</span>
            <span className="min-w-0 flex-1 truncate text-faint text-xs">{description}</span>
            <ChevronRight
              aria-hidden
              className="size-3.5 shrink-0 self-center text-faint transition-transform group-open:rotate-90"
            />
          </summary>
          <pre className="whitespace-pre-wrap border-line border-t px-3.5 py-2.5 font-mono text-xs [overflow-wrap:anywhere]">
            {source}
          </pre>
        </details>
      ))}
    </div>
  );
}
