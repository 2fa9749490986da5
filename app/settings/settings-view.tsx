"use client";

import dynamic from "next/dynamic";
import Link from "next/link";
import type { SettingsSectionId, ShownSection } from "@/app/_features/settings/settings-sections";
import { classNames } from "@/app/_ui/class-names";
import { SectionSkeleton } from "@/app/_ui/settings-section";

const loading = () => <SectionSkeleton />;

const ModelsSection = dynamic(
  () => import("@/app/_features/settings/models-section").then((part) => part.ModelsSection),
  { loading },
);
const AccountSection = dynamic(
  () => import("@/app/_features/accounts/account-section").then((part) => part.AccountSection),
  { loading },
);
const PeopleSection = dynamic(
  () => import("@/app/_features/accounts/people-section").then((part) => part.PeopleSection),
  { loading },
);
const BlocksSection = dynamic(
  () => import("@/app/_features/memory/blocks-section").then((part) => part.BlocksSection),
  { loading },
);
const EntriesSection = dynamic(
  () => import("@/app/_features/memory/entries-section").then((part) => part.EntriesSection),
  { loading },
);
const AppearanceSection = dynamic(
  () =>
    import("@/app/_features/settings/appearance-section").then((part) => part.AppearanceSection),
  { loading },
);
const PromptsSection = dynamic(
  () => import("@/app/_features/prompts/prompts-section").then((part) => part.PromptsSection),
  { loading },
);
const ToolsSection = dynamic(
  () => import("@/app/_features/settings/tools-section").then((part) => part.ToolsSection),
  { loading },
);
const ProgramsSection = dynamic(
  () => import("@/app/_features/settings/programs-section").then((part) => part.ProgramsSection),
  { loading },
);
const DeletedSection = dynamic(
  () => import("@/app/_features/settings/deleted-section").then((part) => part.DeletedSection),
  { loading },
);
const DataSection = dynamic(
  () => import("@/app/_features/settings/data-section").then((part) => part.DataSection),
  { loading },
);
const AboutSection = dynamic(
  () => import("@/app/_features/settings/about-section").then((part) => part.AboutSection),
  { loading },
);

export interface SettingsViewProps {
  section: SettingsSectionId;
  shown: readonly ShownSection[];
}

export function SettingsView({ section, shown }: SettingsViewProps) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
      <div className="mx-auto flex max-w-4xl flex-col gap-x-10 px-4 pb-16 sm:px-6 lg:flex-row lg:pt-8">
        <SectionLinks section={section} shown={shown} />
        <div className="min-w-0 max-w-2xl flex-1 pt-6 lg:pt-0">
          <SectionContent section={section} />
        </div>
      </div>
    </div>
  );
}

function SectionLinks({ section, shown }: SettingsViewProps) {
  return (
    <nav
      aria-label="Settings"
      className="sticky top-0 z-10 -mx-4 overflow-x-auto border-line border-b bg-paper px-4 [mask-image:linear-gradient(to_right,transparent,black_1rem,black_calc(100%-2rem),transparent)] [scrollbar-width:none] sm:-mx-6 sm:px-6 lg:top-8 lg:mx-0 lg:w-48 lg:shrink-0 lg:self-start lg:border-0 lg:px-0 lg:[mask-image:none]"
    >
      <ul className="flex w-max gap-1 py-2 pr-8 lg:w-auto lg:flex-col lg:gap-0.5 lg:py-0 lg:pr-0">
        {shown.map(({ id, label }) => (
          <li key={id}>
            <Link
              href={`/settings?section=${id}`}
              aria-current={id === section ? "page" : undefined}
              ref={id === section ? intoView : null}
              className={classNames(
                "flex h-9 items-center whitespace-nowrap rounded-md px-3 text-sm -outline-offset-2 transition-colors",
                id === section
                  ? "bg-accent-soft font-medium text-accent"
                  : "text-muted hover:bg-hover hover:text-ink",
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** On a phone the row of links is wider than the screen. */
function intoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: "nearest", inline: "center" });
}

function SectionContent({ section }: { section: SettingsSectionId }) {
  switch (section) {
    case "account":
      return <AccountSection />;
    case "people":
      return <PeopleSection />;
    case "models":
      return <ModelsSection />;
    case "blocks":
      return <BlocksSection />;
    case "knowledge":
    case "skills":
      return <EntriesSection key={section} group={section} />;
    case "appearance":
      return <AppearanceSection />;
    case "prompts":
      return <PromptsSection />;
    case "tools":
      return <ToolsSection />;
    case "programs":
      return <ProgramsSection />;
    case "deleted":
      return <DeletedSection />;
    case "data":
      return <DataSection />;
    case "about":
      return <AboutSection />;
  }
}
