"use client";

import { Download } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { errorSentence } from "@/app/_api/api-error";
import { useRestoreExample } from "@/app/_features/sessions/use-session-mutations";
import { Button } from "@/app/_ui/button";
import { ErrorNotice } from "@/app/_ui/error-notice";
import { toastError } from "@/app/_ui/toast";
import type { SettingsWire } from "@/lib/chat/wire/settings";
import { DeleteLine } from "./delete-line";
import { ImportLine } from "./import-line";
import { SectionSkeleton } from "./section-skeleton";
import { SettingsCard, SettingsLine, SettingsSection } from "./settings-section";
import { useSettings } from "./use-settings";

/** Where everything is kept. */
export function DataSection() {
  const settings = useSettings();
  if (settings.isError && !settings.data) {
    return (
      <ErrorNotice onRetry={() => void settings.refetch()} retrying={settings.isFetching}>
        {errorSentence(settings.error)}
      </ErrorNotice>
    );
  }
  if (!settings.data) return <SectionSkeleton />;
  const { dataLocation, version, example } = settings.data;
  return (
    <SettingsSection
      title="Data"
      note="Sessions, memory and settings are in one Postgres database of yours. Nothing else keeps a copy."
    >
      <SettingsCard>
        <SettingsLine
          title="Where it is"
          note={<code className="select-all font-mono">{dataLocation}</code>}
        />
        <SettingsLine
          title="Example session"
          note="Branches, summaries, memory and search hits to try things on."
        >
          <Example example={example} />
        </SettingsLine>
        <SettingsLine title="Version" note={`Grove ${version}`} />
      </SettingsCard>
      <SettingsCard>
        <SettingsLine
          title="Export everything"
          note="Sessions with all branches, memory with all versions, skills, usage and settings, as lines of JSON. No keys."
        >
          <Button asChild size="sm">
            <a href="/api/export" download>
              <Download aria-hidden /> Export
            </a>
          </Button>
        </SettingsLine>
        <ImportLine />
      </SettingsCard>
      <SettingsCard>
        <DeleteLine />
      </SettingsCard>
    </SettingsSection>
  );
}

function Example({ example }: { example: SettingsWire["example"] }) {
  const router = useRouter();
  const restoring = useRestoreExample();
  if (example.exists) {
    return (
      <Button asChild size="sm">
        <Link href={`/s/${encodeURIComponent(example.sessionId)}`}>Open it</Link>
      </Button>
    );
  }
  const restore = () =>
    restoring.mutate(undefined, {
      onSuccess: (session) => router.push(`/s/${encodeURIComponent(session.id)}`),
      onError: (error) => toastError(errorSentence(error), restore),
    });
  return (
    <Button size="sm" onClick={restore} busy={restoring.isPending}>
      Make it again
    </Button>
  );
}
