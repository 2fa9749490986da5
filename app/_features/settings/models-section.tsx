"use client";

import { errorSentence } from "@/app/_api/api-error";
import { ErrorNotice } from "@/app/_ui/notice";
import { DefaultModel } from "./default-model";
import { LocalServers } from "./local-servers";
import { ModelList } from "./model-list";
import { ProviderList } from "./provider-list";
import { SectionSkeleton } from "./section-skeleton";
import { SettingsSection } from "./settings-section";
import { useModels } from "./use-models";
import { useSettings } from "./use-settings";

export function ModelsSection() {
  const settings = useSettings();
  const models = useModels();
  const error = settings.error ?? models.error;
  if (error) {
    return (
      <ErrorNotice
        onRetry={() => {
          void settings.refetch();
          void models.refetch();
        }}
      >
        {errorSentence(error)}
      </ErrorNotice>
    );
  }
  if (!settings.data || !models.data) return <SectionSkeleton />;
  return (
    <SettingsSection
      title="Models and keys"
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
        onLook={() => void models.refetch()}
        isLooking={models.isFetching}
      />
      <ModelList settings={settings.data} models={models.data.models} />
    </SettingsSection>
  );
}
