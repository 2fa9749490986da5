"use client";

import { useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { Badge } from "@/app/_ui/badge";
import { formatCount } from "@/app/_ui/format-amount";
import { SettingsLine } from "@/app/_ui/settings-section";
import { Segmented } from "@/app/_ui/toggles";
import type { ToolPolicy, ToolWire } from "@/lib/chat/wire/tools";
import { useChoosePolicy } from "./use-tools";

const policies: readonly { readonly value: ToolPolicy; readonly label: string }[] = [
  { value: "off", label: "Off" },
  { value: "ask", label: "Ask first" },
  { value: "on", label: "On" },
];

export function ToolLine({ tool }: { tool: ToolWire }) {
  const choosing = useChoosePolicy();
  const shown = choosing.isPending ? (choosing.variables[tool.name] ?? tool.policy) : tool.policy;
  return (
    <SettingsLine
      title={
        <>
          {tool.title}
          {tool.isChanged && <Badge tone="accent">Changed</Badge>}
        </>
      }
      note={
        <>
          <ToolNote text={tool.note} />
          {tool.isChanged &&
            "Its description has changed since you turned it on, so it asks first again."}
        </>
      }
    >
      <Segmented
        label={tool.title}
        value={shown}
        options={policies}
        onChange={(policy) => choosing.mutate({ [tool.name]: policy }, { onError: toastError })}
      />
    </SettingsLine>
  );
}

const shownLength = 300;

/** The model reads the whole description, so nothing of it stays hidden without a note. */
function ToolNote({ text }: { text: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = shortened(text);
  const more = text.length - shown.length;
  if (isOpen || more === 0) return <span className="block whitespace-pre-wrap">{text}</span>;
  return (
    <span className="block whitespace-pre-wrap">
      {shown}{" "}
      <button
        type="button"
        aria-expanded={false}
        className="rounded-xs font-medium text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
        onClick={() => setIsOpen(true)}
      >
        … {formatCount(more)} more characters
      </button>
    </span>
  );
}

function shortened(text: string): string {
  const lines = text.split("\n", linesShown + 1);
  const byLines = lines.slice(0, linesShown).join("\n");
  const isLong = byLines.length > shownLength;
  const cut = isLong ? byLines.slice(0, byLines.lastIndexOf(" ", shownLength) + 1) : byLines;
  const kept = cut === "" ? byLines.slice(0, shownLength).toWellFormed() : cut;
  return text.length - kept.length < fewCharacters ? text : kept;
}

const linesShown = 6;
const fewCharacters = 40;
