"use client";

import { RefreshCw } from "lucide-react";
import { Button } from "@/app/_ui/button";
import type { ModelWire } from "@/lib/chat/wire/settings";
import { SettingsCard, SettingsGroup, SettingsLine } from "./settings-section";

export interface LocalServersProps {
  models: readonly ModelWire[];
  onLook: () => void;
  isLooking: boolean;
}

export function LocalServers({ models, onLook, isLooking }: LocalServersProps) {
  const servers = Map.groupBy(
    models.filter(({ isLocal, isDemo }) => isLocal && !isDemo),
    ({ provider }) => provider,
  );
  return (
    <SettingsGroup
      title="On this machine"
      note="Ollama, LM Studio, llama.cpp and vLLM are detected automatically."
      action={
        <Button size="sm" onClick={onLook} busy={isLooking}>
          {!isLooking && <RefreshCw aria-hidden />}
          Refresh
        </Button>
      }
    >
      <SettingsCard>
        {servers.size === 0 && (
          <SettingsLine title="No local servers found" note="Start one, then refresh." />
        )}
        {[...servers].map(([provider, found]) => (
          <SettingsLine
            key={provider}
            title={provider}
            note={found.map(({ label }) => label).join(" · ")}
          />
        ))}
      </SettingsCard>
    </SettingsGroup>
  );
}
