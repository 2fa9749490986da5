"use client";

import { ChevronLeft, ChevronRight, Folder } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { useProject } from "@/app/_data/projects/use-projects";
import {
  findSettings,
  firstPlace,
  type SettingsPage,
  type SettingsPages,
  type SettingsSection,
  type SettingsSectionId,
  sectionsOfSpace,
  settingsAddress,
  settingsPagesIn,
  settingsPlace,
} from "@/app/_features/settings/settings-sections";
import { classNames } from "@/app/_ui/class-names";
import { Input } from "@/app/_ui/fields";
import { isolated } from "@/app/_ui/isolated";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { OtherSections, SectionSkeleton, SettingsCard } from "@/app/_ui/settings-section";
import { useSpace } from "@/app/_ui/use-space";

const loading = () => <SectionSkeleton />;

const ModelsSection = dynamic(
  () => import("@/app/_features/settings/models-section").then((part) => part.ModelsSection),
  { loading },
);
const AccountSection = dynamic(
  () => import("@/app/_features/accounts/account-section").then((part) => part.AccountSection),
  { loading },
);
const EveryoneSection = dynamic(
  () => import("@/app/_features/accounts/everyone-section").then((part) => part.EveryoneSection),
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
const AssistantsSection = dynamic(
  () => import("@/app/_features/memory/assistants-section").then((part) => part.AssistantsSection),
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
const ProjectDataSection = dynamic(
  () =>
    import("@/app/_features/settings/project-data-section").then((part) => part.ProjectDataSection),
  { loading },
);
const AboutSection = dynamic(
  () => import("@/app/_features/settings/about-section").then((part) => part.AboutSection),
  { loading },
);

export interface SettingsViewProps {
  asked: string | string[] | undefined;
  pages: SettingsPages;
}

export function SettingsView({ asked, pages: ofPerson }: SettingsViewProps) {
  const space = useSpace();
  const pages = settingsPagesIn(space, ofPerson, useReadsOnly());
  const place = settingsPlace(asked, pages);
  const { page, section } = place ?? firstPlace(pages);
  useFocusAtOrigin(settingsAddress(place === null ? null : section.id, space));
  const [first, ...others] = page.sections;
  const isFirst = section === first;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
      <div className="mx-auto flex max-w-4xl gap-x-10 px-4 pb-16 sm:px-6 lg:pt-8">
        <SettingsList pages={pages} page={page} isAlone={place === null} />
        <div
          className={classNames("min-w-0 max-w-2xl flex-1 pt-4 lg:pt-0", !place && "max-lg:hidden")}
        >
          <BackLink
            href={settingsAddress(isFirst ? null : first.id, space)}
            className={isFirst ? "lg:hidden" : ""}
          >
            {isFirst ? "Settings" : page.label}
          </BackLink>
          <OtherSections value={isFirst && others.length > 0 && <SectionLines sections={others} />}>
            {space !== null && <SpaceNote section={section.id} />}
            <SectionContent
              section={section.id}
              isProject={space !== null}
              hasPeople={isShared(pages)}
            />
          </OtherSections>
        </div>
      </div>
    </div>
  );
}

/** On a phone the link that was followed is hidden: the one to where it led from takes the focus. */
function useFocusAtOrigin(address: string): void {
  const before = useRef(address);
  useEffect(() => {
    const origin = before.current;
    before.current = address;
    if (origin === address || matchMedia("(min-width: 64rem)").matches) return;
    // A hidden link does not take it.
    for (const link of document.querySelectorAll("a"))
      if (link.getAttribute("href") === origin) link.focus();
  }, [address]);
}

interface SettingsListProps {
  pages: SettingsPages;
  page: SettingsPage;
  isAlone: boolean;
}

function SettingsList({ pages, page, isAlone }: SettingsListProps) {
  const [query, setQuery] = useState("");
  const found = query.trim() === "" ? null : findSettings(query, pages);
  return (
    <nav
      aria-label="Settings"
      className={classNames(
        "w-full pt-4 lg:sticky lg:top-8 lg:w-48 lg:shrink-0 lg:self-start lg:pt-0",
        !isAlone && "max-lg:hidden",
      )}
    >
      <Input
        type="search"
        aria-label="Search settings"
        placeholder="Search settings"
        className="mb-2"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {found?.length === 0 && (
        <p role="status" className="px-3 py-2 text-muted text-sm">
          No setting found
        </p>
      )}
      <ul className="flex flex-col gap-0.5">
        {found
          ? found.map(({ title, section }) => (
              <li key={`${section.id} ${title}`}>
                <ListLink
                  section={section}
                  label={title}
                  note={title === section.label ? section.note : section.label}
                />
              </li>
            ))
          : pages.map(({ label, sections }) => (
              <li key={label}>
                <ListLink
                  section={sections[0]}
                  label={label}
                  note={sections[0].note}
                  isCurrent={label === page.label}
                  isAlone={isAlone}
                />
              </li>
            ))}
      </ul>
    </nav>
  );
}

interface ListLinkProps {
  section: SettingsSection;
  label: string;
  note: string;
  isCurrent?: boolean;
  isAlone?: boolean;
}

function ListLink({ section, label, note, isCurrent = false, isAlone = false }: ListLinkProps) {
  return (
    <Link
      href={settingsAddress(section.id, useSpace())}
      aria-current={isCurrent && !isAlone ? "page" : undefined}
      className={classNames(
        "flex min-h-9 items-center gap-4 rounded-md px-3 py-1.5 text-sm -outline-offset-2 transition-colors max-lg:min-h-14",
        isCurrent
          ? "lg:bg-accent-soft lg:font-medium lg:text-accent"
          : "hover:bg-hover lg:text-muted lg:hover:text-ink",
      )}
    >
      <span className="min-w-0 flex-1">
        {label}
        <span className="block font-normal text-muted text-xs lg:hidden">{note}</span>
      </span>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-faint lg:hidden" />
    </Link>
  );
}

function BackLink({
  href,
  className,
  children,
}: {
  href: string;
  className: string;
  children: string;
}) {
  return (
    <Link
      href={href}
      className={classNames(
        "mb-3 -ml-2 flex h-9 pointer-coarse:h-11 w-fit items-center gap-1 rounded-md px-2 text-muted text-sm hover:bg-hover hover:text-ink",
        className,
      )}
    >
      <ChevronLeft aria-hidden className="size-4" />
      {children}
    </Link>
  );
}

function SectionLines({ sections }: { sections: readonly SettingsSection[] }) {
  const space = useSpace();
  return (
    <SettingsCard>
      {sections.map(({ id, label, note }) => (
        <Link
          key={id}
          href={settingsAddress(id, space)}
          className="flex min-h-14 items-center gap-4 px-4 py-3 -outline-offset-2 transition-colors hover:bg-hover"
        >
          <span className="min-w-0 flex-1">
            <span className="block font-medium text-sm">{label}</span>
            <span className="block text-muted text-xs">{note}</span>
          </span>
          <ChevronRight aria-hidden className="size-4 shrink-0 text-faint" />
        </Link>
      ))}
    </SettingsCard>
  );
}

function SpaceNote({ section }: { section: SettingsSectionId }) {
  const name = useProject()?.name;
  return (
    <p className="mb-4 flex min-h-5 items-center gap-2 text-muted text-sm">
      <Folder aria-hidden className="size-4 shrink-0" />
      {sectionsOfSpace.has(section)
        ? name && `Of the project “${isolated(name)}”`
        : "Yours, in every project"}
    </p>
  );
}

function isShared(pages: SettingsPages): boolean {
  return pages.some(({ sections }) => sections.some(({ id }) => id === "people"));
}

interface SectionContentProps {
  section: SettingsSectionId;
  isProject: boolean;
  hasPeople: boolean;
}

function SectionContent({ section, isProject, hasPeople }: SectionContentProps) {
  switch (section) {
    case "account":
      return <AccountSection />;
    case "people":
      return <PeopleSection />;
    case "everyone":
      return <EveryoneSection hasPeople={hasPeople} />;
    case "models":
      return <ModelsSection />;
    case "blocks":
      return <BlocksSection />;
    case "knowledge":
    case "skills":
      return <EntriesSection key={section} group={section} />;
    case "assistants":
      return <AssistantsSection />;
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
      return isProject ? <ProjectDataSection /> : <DataSection />;
    case "about":
      return <AboutSection />;
  }
}
