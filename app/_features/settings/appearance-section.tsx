"use client";

import { RadioGroup } from "radix-ui";
import { useState } from "react";
import {
  changePreferences,
  readingWidths,
  sendKeys,
  setTheme,
  type Theme,
  textSizes,
  themes,
  usePreferences,
  useTheme,
} from "@/app/_data/page/preferences";
import { useIsHydrating } from "@/app/_ui/page-phase";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import { Segmented, SwitchLine } from "@/app/_ui/toggles";

const names: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function AppearanceSection() {
  const theme = useTheme();
  // A press before React listens would be lost.
  const isHydrating = useIsHydrating();
  return (
    <SettingsSection title="General" note="Saved on this device.">
      <fieldset disabled={isHydrating} className="contents">
        <SettingsGroup title="Theme">
          <RadioGroup.Root
            aria-label="Theme"
            value={theme}
            onValueChange={(next) => setTheme(next as Theme)}
            className="grid grid-cols-3 gap-3"
          >
            {themes.map((option) => (
              <RadioGroup.Item
                key={option}
                value={option}
                className="group flex flex-col gap-2 rounded-xl border border-line bg-raised p-2 text-left transition-colors hover:border-edge data-[state=checked]:border-accent data-[state=checked]:ring-1 data-[state=checked]:ring-accent"
              >
                <ThemePicture theme={option} />
                <span className="px-1 pb-0.5 font-medium text-sm">{names[option]}</span>
              </RadioGroup.Item>
            ))}
          </RadioGroup.Root>
        </SettingsGroup>
        <ReadingGroup />
        <SettingsGroup title="Notifications">
          <NotificationSwitch />
        </SettingsGroup>
      </fieldset>
    </SettingsSection>
  );
}

const sizeNames = { small: "Small", normal: "Normal", large: "Large", larger: "Larger" } as const;
const widthNames = { narrow: "Narrow", normal: "Normal", wide: "Wide" } as const;
const keyNames = { enter: "Enter", "mod-enter": "Ctrl + Enter" } as const;

function ReadingGroup() {
  const { textSize, readingWidth, sendKey } = usePreferences();
  return (
    <SettingsGroup title="Reading and writing">
      <SettingsCard>
        <SettingsLine title="Text size" note="Of messages and the composer.">
          <Segmented
            label="Text size"
            value={textSize}
            onChange={(next) => changePreferences({ textSize: next })}
            options={textSizes.map((value) => ({ value, label: sizeNames[value] }))}
          />
        </SettingsLine>
        <SettingsLine title="Reading width" note="Of the conversation.">
          <Segmented
            label="Reading width"
            value={readingWidth}
            onChange={(next) => changePreferences({ readingWidth: next })}
            options={readingWidths.map((value) => ({ value, label: widthNames[value] }))}
          />
        </SettingsLine>
        <SettingsLine
          title="Send with"
          note={
            sendKey === "enter"
              ? "Shift + Enter starts a new line. On a touch screen, Enter does."
              : "Enter starts a new line. On a Mac, ⌘ + Enter sends, too."
          }
        >
          <Segmented
            label="Send with"
            value={sendKey}
            onChange={(next) => changePreferences({ sendKey: next })}
            options={sendKeys.map((value) => ({ value, label: keyNames[value] }))}
          />
        </SettingsLine>
      </SettingsCard>
    </SettingsGroup>
  );
}

function NotificationSwitch() {
  const { notifies } = usePreferences();
  const isHydrating = useIsHydrating();
  const [isRefused, setIsRefused] = useState(false);
  const isKnown = isHydrating || "Notification" in window;
  const isAllowed = !isHydrating && isKnown && Notification.permission === "granted";
  async function change(wanted: boolean) {
    const permission = wanted ? await Notification.requestPermission() : "granted";
    setIsRefused(permission !== "granted");
    changePreferences({ notifies: wanted && permission === "granted" });
  }
  return (
    <>
      <SwitchLine
        label="Notify me when an answer is ready"
        note={
          isKnown
            ? "Only while no tab shows it. The notification has the chat's title, not the answer."
            : "This browser has no notifications."
        }
        checked={notifies && isAllowed}
        disabled={!isKnown}
        onChange={(wanted) => void change(wanted)}
      />
      {isRefused && (
        <p role="alert" className="text-danger text-sm">
          Your browser blocks notifications from Grove. Allow them in its settings for this site.
        </p>
      )}
    </>
  );
}

function ThemePicture({ theme }: { theme: Theme }) {
  if (theme !== "system") return <Page theme={theme} className="rounded-md" />;
  return (
    <span aria-hidden className="relative block">
      <Page theme="light" className="rounded-md" />
      <Page
        theme="dark"
        className="absolute inset-0 rounded-md [clip-path:polygon(100%_0,100%_100%,0_100%)]"
      />
    </span>
  );
}

function Page({ theme, className }: { theme: "light" | "dark"; className: string }) {
  return (
    <span
      aria-hidden
      data-theme={theme}
      className={`flex aspect-8/5 overflow-hidden border border-line bg-paper ${className}`}
    >
      <span className="w-1/4 border-line border-r bg-sunken" />
      <span className="flex flex-1 flex-col justify-center gap-1.5 px-[12%]">
        <span className="h-1.5 w-1/2 self-end rounded-full bg-hover" />
        <span className="h-1.5 w-full rounded-full bg-edge/60" />
        <span className="h-1.5 w-4/5 rounded-full bg-edge/60" />
        <span className="h-1.5 w-1/4 rounded-full bg-accent" />
      </span>
    </span>
  );
}
