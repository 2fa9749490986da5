"use client";

import { Tabs as RadixTabs } from "radix-ui";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  tabs: readonly { value: Value; label: ReactNode; content: ReactNode }[];
  end?: ReactNode;
  className?: string;
}

/** Only the chosen tab is mounted. */
export function Tabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  end,
  className,
}: TabsProps<Value>) {
  return (
    <RadixTabs.Root
      value={value}
      onValueChange={(next) => onChange(next as Value)}
      className={classNames("flex min-h-0 flex-col", className)}
    >
      <div className="flex h-13 shrink-0 items-center gap-1 border-line border-b px-3">
        <RadixTabs.List
          aria-label={label}
          className="flex h-full min-w-0 flex-1 items-stretch gap-1"
        >
          {tabs.map((tab) => (
            <RadixTabs.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px border-transparent border-b-2 px-2.5 font-medium text-muted text-sm -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {tab.label}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {end}
      </div>
      {tabs.map((tab) => (
        <RadixTabs.Content
          key={tab.value}
          value={tab.value}
          className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
        >
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
