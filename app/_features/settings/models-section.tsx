"use client";

import { ChevronDown, RefreshCw } from "lucide-react";
import { useState } from "react";
import { toastError } from "@/app/_api/toast-error";
import { choiceWords } from "@/app/_data/models/model-words";
import { modelName, useOwnModels } from "@/app/_data/models/use-models";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { useChangeSettings, useSettings } from "@/app/_data/settings/use-settings";
import { ModelButton } from "@/app/_message/models/model-picker";
import { Button } from "@/app/_ui/button";
import { Fold } from "@/app/_ui/fold";
import { ErrorNotice } from "@/app/_ui/notice";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import type { ModelsWire, ModelWire, SettingsWire } from "@/lib/chat/wire/settings";
import { ModelList } from "./model-list";
import { OllamaPull } from "./ollama-pull";
import { ProviderList } from "./provider-list";
import { type PullServer, useOllama } from "./use-pull";

export function ModelsSection() {
  const settings = useSettings();
  const models = useOwnModels();
  const ollama = useOllama();
  const [isAdvanced, setIsAdvanced] = useState(false);
  if (!settings.data || !models.data)
    return <SectionPending query={settings.data ? models : settings} />;
  return (
    <SettingsSection
      title="Models"
      note="Grove only connects to providers you add and local model servers."
    >
      {models.data.problems.map((problem) => (
        <ErrorNotice key={problem.provider} onRetry={() => void models.refetch()}>
          {problem.message}
        </ErrorNotice>
      ))}
      <DefaultModel settings={settings.data} models={models.data} />
      <ProviderList settings={settings.data} />
      <LocalServers
        models={models.data.models}
        empty={ollama.data?.servers.find(({ provider }) => provider === "local:ollama")}
        onLook={() => void Promise.all([models.refetch(), ollama.refetch()])}
        isLooking={models.isFetching}
      />
      <OllamaPull servers={ollama.data?.servers ?? []} />
      {models.data.leftOut.map(({ provider, message }) => (
        <p key={provider} className="text-muted text-sm">
          {message}
        </p>
      ))}
      <Fold isOpen={isAdvanced} onToggle={setIsAdvanced} summary="Advanced">
        <div className="pt-4">
          <ModelList settings={settings.data} models={models.data.models} />
        </div>
      </Fold>
    </SettingsSection>
  );
}

function DefaultModel({ settings, models }: { settings: SettingsWire; models: ModelsWire }) {
  const change = useChangeSettings();
  const chosen = (change.isPending ? change.variables.defaultModel : settings.defaultModel) ?? null;
  const label = chosen === null ? automaticLabel(settings, models) : labelOf(chosen, models.models);
  return (
    <SettingsCard>
      <SettingsLine
        title="Default model"
        note={
          settings.defaultModel === null
            ? automaticNote(models)
            : "Answers in every chat where you chose no other."
        }
      >
        <ModelButton
          title="Default model"
          label={`Default model: ${label}`}
          size="md"
          className="justify-between! w-full font-normal sm:w-80"
          hasAutomatic
          chosen={chosen === null ? [] : [chosen]}
          onChoose={(ref) => change.mutate({ defaultModel: ref }, { onError: toastError })}
        >
          <span className="truncate">{label}</span>
          <ChevronDown aria-hidden />
        </ModelButton>
      </SettingsLine>
    </SettingsCard>
  );
}

function automaticNote({ defaultChoice }: ModelsWire): string {
  return `Picked automatically: ${choiceWords[defaultChoice]}. You can change it per chat.`;
}

function labelOf(ref: string, models: readonly ModelWire[]): string {
  const model = models.find((each) => each.ref === ref);
  return model ? modelName(model, models) : ref;
}

function automaticLabel(settings: SettingsWire, { models, defaultModel }: ModelsWire): string {
  if (settings.defaultModel !== null) return "Automatic";
  const label = models.find(({ ref }) => ref === defaultModel)?.label ?? defaultModel;
  return `Automatic: ${label}`;
}

interface LocalServersProps {
  models: readonly ModelWire[];
  /** A running Ollama has no models before its first. */
  empty: PullServer | undefined;
  onLook: () => void;
  isLooking: boolean;
}

function LocalServers({ models, empty, onLook, isLooking }: LocalServersProps) {
  const servers = Map.groupBy(
    models.filter(({ isLocal, isDemo }) => isLocal && !isDemo),
    ({ provider }) => provider,
  );
  return (
    <SettingsGroup
      title="On this machine"
      note="Ollama, LM Studio, llama.cpp and vLLM are detected automatically."
      action={
        <Button size="sm" icon={<RefreshCw aria-hidden />} onClick={onLook} busy={isLooking}>
          Refresh
        </Button>
      }
    >
      <SettingsCard>
        {servers.size === 0 && !empty && (
          <SettingsLine title="No local servers found" note="Start one, then refresh." />
        )}
        {empty && !servers.has(empty.label) && (
          <SettingsLine title={empty.label} note="No models yet. Pull one below." />
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
