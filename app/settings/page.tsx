import type { Metadata } from "next";
import { settingsPagesFor } from "@/app/_features/settings/settings-sections";
import { Workspace } from "@/app/_shell/workspace";
import { identity } from "@/app/identity";
import { SettingsView } from "./settings-view";

export const metadata: Metadata = { title: "Settings" };

interface SettingsPageProps {
  searchParams: Promise<{ section?: string | string[] }>;
}

export default async function SettingsPage({ searchParams }: SettingsPageProps) {
  const { section } = await searchParams;
  const person = (await identity())?.person;
  return (
    <Workspace sessionId={null} heading="Settings">
      <SettingsView asked={section} pages={settingsPagesFor(person?.role ?? null)} />
    </Workspace>
  );
}
