"use client";

import { type FormEvent, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { useChangeSettings, useSettings } from "@/app/_data/settings/use-settings";
import { Button } from "@/app/_ui/button";
import { InputField } from "@/app/_ui/fields";
import { SettingsCard, SettingsGroup, SettingsSection } from "@/app/_ui/settings-section";
import { toastDone } from "@/app/_ui/toast";
import type { ToolsWire, ToolWire } from "@/lib/chat/wire/tools";
import { ToolLine } from "./tool-line";
import { ToolServers } from "./tool-servers";
import { useTools } from "./use-tools";

export function ToolsSection() {
  const tools = useTools();
  const settings = useSettings();
  if (!tools.data || !settings.data)
    return <SectionPending query={tools.data ? settings : tools} />;
  const { web, others } = toolGroups(tools.data);
  return (
    <SettingsSection
      title="Connections"
      note="Models only use tools you turn on. While one of the web or a server is on, memory changes need your approval, because web pages and tools can contain malicious instructions."
    >
      <SettingsGroup
        title="Web"
        note="Each query and address is shown in the chat, with what came back."
      >
        <SettingsCard>
          {web.map((tool) => (
            <ToolLine key={tool.name} tool={tool} />
          ))}
        </SettingsCard>
        <SearchAddress saved={settings.data.searchAddress} />
      </SettingsGroup>
      {[...others].map(([origin, list]) => (
        <SettingsGroup key={origin} title={origin}>
          <SettingsCard>
            {list.map((tool) => (
              <ToolLine key={tool.name} tool={tool} />
            ))}
          </SettingsCard>
        </SettingsGroup>
      ))}
      <ToolServers tools={tools.data} />
    </SettingsSection>
  );
}

function SearchAddress({ saved }: { saved: string | null }) {
  const [typed, setTyped] = useState<string | null>(null);
  const address = typed ?? saved ?? "";
  const changing = useChangeSettings();
  const given = address.trim();
  const problem = changing.error instanceof ApiError ? errorSentence(changing.error) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate(
      { searchAddress: given === "" ? null : given },
      { onSuccess: () => toastDone("Search server saved.") },
    );
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col items-start gap-2 sm:flex-row">
      <div className="w-full min-w-0 flex-1">
        <InputField
          label="Search server"
          optional
          hint="The address of a SearXNG server that answers in JSON, such as http://localhost:8080."
          error={problem}
          value={address}
          inputMode="url"
          autoComplete="off"
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button
        type="submit"
        className="sm:mt-6"
        busy={changing.isPending}
        disabled={given === (saved ?? "")}
      >
        Save
      </Button>
    </form>
  );
}

interface ToolGroups {
  readonly web: readonly ToolWire[];
  readonly others: ReadonlyMap<string, readonly ToolWire[]>;
}

/** Every tool is in a group or a listed server, so that each can be switched off. */
export function toolGroups({ tools, servers }: ToolsWire): ToolGroups {
  const listed = new Set(servers.map(({ id }) => id));
  const own = tools.filter(({ serverId }) => serverId === null || !listed.has(serverId));
  const web = own.filter(({ origin }) => origin.kind === "web");
  const others = own.filter(({ origin }) => origin.kind !== "web");
  return { web, others: Map.groupBy(others, ({ origin }) => origin.name) };
}
