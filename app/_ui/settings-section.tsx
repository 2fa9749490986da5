import { createContext, type ReactNode, use } from "react";
import { Skeleton } from "./loading";

export const OtherSections = createContext<ReactNode>(null);

export interface SettingsSectionProps {
  title: string;
  note: ReactNode;
  children: ReactNode;
}

export function SettingsSection({ title, note, children }: SettingsSectionProps) {
  return (
    <section className="flex flex-col gap-8">
      <header>
        <h2 className="font-semibold text-xl tracking-tight">{title}</h2>
        <p className="mt-1 max-w-prose text-muted text-sm">{note}</p>
      </header>
      {use(OtherSections)}
      {children}
    </section>
  );
}

export interface SettingsGroupProps {
  title: string;
  note?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function SettingsGroup({ title, note, action, children }: SettingsGroupProps) {
  return (
    <section className="flex flex-col gap-3">
      <div className="flex min-h-8 items-end gap-3">
        <div className="min-w-0 flex-1">
          <h3 className="font-medium text-base">{title}</h3>
          {note && <p className="text-muted text-sm">{note}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}

export function SettingsCard({ children }: { children: ReactNode }) {
  return (
    <div className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised">
      {children}
    </div>
  );
}

export interface SettingsLineProps {
  title: ReactNode;
  note?: ReactNode;
  children?: ReactNode;
}

export function SettingsLine({ title, note, children }: SettingsLineProps) {
  return (
    <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-44 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm [overflow-wrap:anywhere]">
          {title}
        </p>
        {note && <p className="text-muted text-xs [overflow-wrap:anywhere]">{note}</p>}
      </div>
      {children}
    </div>
  );
}

export function SectionSkeleton() {
  return (
    <div role="status" aria-label="Loading settings" className="flex flex-col gap-4">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="mt-2 h-28 w-full rounded-xl" />
      <Skeleton className="h-40 w-full rounded-xl" />
    </div>
  );
}
