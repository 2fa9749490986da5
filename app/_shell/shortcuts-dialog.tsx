"use client";

import { type Preferences, usePreferences } from "@/app/_data/page/preferences";
import { shellStore } from "@/app/_data/page/shell-store";
import { placeShortcuts, shellShortcuts } from "@/app/_data/page/shortcuts";
import { Dialog } from "@/app/_ui/dialog";
import { Kbd } from "@/app/_ui/kbd";

function sectionsFor({ sendKey }: Preferences) {
  const [send, line] =
    sendKey === "enter" ? [["enter"], ["shift", "enter"]] : [["mod", "enter"], ["enter"]];
  const places = [
    { place: "Composer", keys: send, label: "Send" },
    { place: "Composer", keys: line, label: "New line" },
    ...placeShortcuts,
  ];
  return [
    { place: "Anywhere", shortcuts: shellShortcuts },
    ...[...Map.groupBy(places, ({ place }) => place)].map(([place, shortcuts]) => ({
      place,
      shortcuts,
    })),
  ];
}

export function ShortcutsDialog() {
  const sections = sectionsFor(usePreferences());
  return (
    <Dialog isText onClose={shellStore.closeOverlay} title="Keyboard shortcuts">
      {sections.map(({ place, shortcuts }) => (
        <section key={place} className="mb-4 last:mb-0">
          <h3 className="mb-1 font-medium text-faint text-xs">{place}</h3>
          <dl>
            {shortcuts.map(({ keys, label }) => (
              <div
                key={label}
                className="flex min-h-9 items-center gap-4 border-line border-b py-1 last:border-b-0"
              >
                <dt className="flex-1 text-sm">{label}</dt>
                <dd>
                  <Kbd keys={keys} kind="listed" />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
