import type { Metadata } from "next";
import { headers } from "next/headers";
import { sectionOf, sectionsFor } from "@/app/_features/settings/settings-sections";
import { SettingsView } from "@/app/_features/settings/settings-view";
import { Workspace } from "@/app/_shell/workspace";
import { services } from "@/lib/server/services";

export const metadata: Metadata = { title: "Settings" };

interface SettingsPageProps {
  searchParams: Promise<{ section?: string | string[] }>;
}

export default async function SettingsPage({ searchParams }: SettingsPageProps) {
  const { section } = await searchParams;
  const identity = await services().identify(await headers());
  const shown = sectionsFor(identity?.person?.role ?? null);
  return (
    <Workspace sessionId={null} heading="Settings">
      <SettingsView section={sectionOf(section, shown)} shown={shown} />
    </Workspace>
  );
}
