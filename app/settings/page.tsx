import type { Metadata } from "next";
import { sectionOf } from "@/app/_features/settings/settings-sections";
import { SettingsView } from "@/app/_features/settings/settings-view";
import { Workspace } from "@/app/_shell/workspace";

export const metadata: Metadata = { title: "Settings" };

interface SettingsPageProps {
  searchParams: Promise<{ section?: string | string[] }>;
}

export default async function SettingsPage({ searchParams }: SettingsPageProps) {
  const { section } = await searchParams;
  return (
    <Workspace sessionId={null} heading="Settings">
      <SettingsView section={sectionOf(section)} />
    </Workspace>
  );
}
