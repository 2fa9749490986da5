"use client";

import { useState } from "react";
import { fileSize } from "@/app/_data/files/file-words";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { useAbout } from "@/app/_data/settings/use-settings";
import { Fold } from "@/app/_ui/fold";
import { dateWords, momentWords } from "@/app/_ui/reader-day";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import type { AboutWire, ReleaseWire } from "@/lib/chat/wire/about";

export function AboutSection() {
  const about = useAbout();
  if (!about.data) return <SectionPending query={about} />;
  const { version, releases, figures } = about.data;
  return (
    <SettingsSection title="About" note={`Grove ${version}`}>
      {figures && <Figures figures={figures} />}
      <SettingsGroup title="What's new">
        {releases.map((release) => (
          <Release key={release.version} release={release} />
        ))}
      </SettingsGroup>
    </SettingsSection>
  );
}

function Figures({ figures }: { figures: NonNullable<AboutWire["figures"]> }) {
  const { databaseBytes, running, lastBackupAt, postgres, node } = figures;
  return (
    <SettingsCard>
      <SettingsLine title="Database" note={`${fileSize(databaseBytes)} in Postgres ${postgres}`} />
      <SettingsLine title="Running now" note={runningNote(running)} />
      <SettingsLine
        title="Last backup"
        note={lastBackupAt === null ? "None yet" : momentWords(new Date(lastBackupAt))}
      />
      <SettingsLine title="Node" note={node} />
    </SettingsCard>
  );
}

function runningNote(count: number): string {
  if (count === 0) return "No answers";
  return count === 1 ? "1 answer" : `${count} answers`;
}

const shownAtFirst = 5;

function Release({ release: { version, date, changes } }: { release: ReleaseWire }) {
  const [showsAll, setShowsAll] = useState(false);
  return (
    <section className="rounded-xl border border-line bg-raised px-4 py-3">
      <h4 className="flex flex-wrap items-baseline gap-x-2 font-medium text-sm">
        {version}
        <time dateTime={date} className="font-normal text-muted text-xs">
          {dateWords(date)}
        </time>
      </h4>
      <Changes changes={changes.slice(0, shownAtFirst)} />
      {changes.length > shownAtFirst && (
        <Fold
          className="mt-1"
          isOpen={showsAll}
          onToggle={setShowsAll}
          summary={`${changes.length - shownAtFirst} smaller changes`}
        >
          <Changes changes={changes.slice(shownAtFirst)} />
        </Fold>
      )}
    </section>
  );
}

function Changes({ changes }: { changes: readonly string[] }) {
  return (
    <ul className="mt-2 flex list-disc flex-col gap-1 pl-5 text-sm">
      {changes.map((change) => (
        <li key={change}>
          <Change text={change} />
        </li>
      ))}
    </ul>
  );
}

function Change({ text }: { text: string }) {
  return text.split("`").map((piece, index) =>
    index % 2 === 1 ? (
      <code key={piece} className="font-mono text-[0.9em]">
        {piece}
      </code>
    ) : (
      piece
    ),
  );
}
