"use client";

import { Badge } from "@/app/_ui/badge";
import { toastError } from "@/app/_ui/toast";
import { Segmented } from "@/app/_ui/toggles";
import type { ToolPolicy, ToolWire } from "@/lib/chat/wire/tools";
import { SettingsLine } from "./settings-section";
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
          <span className="line-clamp-8">{tool.note}</span>
          {tool.isChanged &&
            "Its description has changed since you turned it on, so it asks first again."}
        </>
      }
    >
      <Segmented
        label={tool.title}
        value={shown}
        options={policies}
        onChange={(policy) =>
          choosing.mutate({ [tool.name]: policy }, { onError: (error) => toastError(error) })
        }
      />
    </SettingsLine>
  );
}
