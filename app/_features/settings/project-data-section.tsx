"use client";

import { Download } from "lucide-react";
import { apiPath } from "@/app/_api/api-path";
import { isFirstTry } from "@/app/_api/first-try";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Button } from "@/app/_ui/button";
import { inSpace } from "@/app/_ui/page-space";
import { SettingsCard, SettingsLine, SettingsSection } from "@/app/_ui/settings-section";
import { storageWords } from "./data-section";
import { ImportLine } from "./import-line";
import { SharedLinks } from "./shared-links";
import { useStorage } from "./use-data";

export function ProjectDataSection() {
  const storage = useStorage();
  if (isFirstTry(storage)) return <SectionPending query={storage} />;
  return (
    <SettingsSection
      title="Data"
      note="Your own data and backups are in the settings of your chats."
    >
      <SettingsCard>
        <SettingsLine
          title="Export project"
          note="Chats with all branches, instructions and memory with all versions, skills. JSONL."
        >
          <Button asChild size="sm">
            <a href={apiPath("/api/export")}>
              <Download aria-hidden /> Export
            </a>
          </Button>
        </SettingsLine>
        <ImportLine />
      </SettingsCard>
      <SharedLinks />
      <SettingsCard>
        {storage.data && <SettingsLine title="Files" note={storageWords(storage.data)} />}
        <SettingsLine title="My data" note="Export, backups and usage of your own chats.">
          <Button asChild size="sm">
            <a href={inSpace("/settings?section=data", null)}>Open</a>
          </Button>
        </SettingsLine>
      </SettingsCard>
    </SettingsSection>
  );
}
