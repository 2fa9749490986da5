"use client";

import { RadioGroup } from "radix-ui";
import { setTheme, type Theme, themes, useTheme } from "@/app/_shell/theme";
import { SettingsGroup, SettingsSection } from "./settings-section";

const names: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function AppearanceSection() {
  const theme = useTheme();
  return (
    <SettingsSection title="Appearance" note="Saved on this device.">
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
    </SettingsSection>
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
