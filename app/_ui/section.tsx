import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface SectionProps {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, note, actions, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-2.5">
      <div className={classNames("flex items-center gap-1", actions !== undefined && "min-h-8")}>
        <h2 className="min-w-0 flex-1 font-semibold text-base tracking-tight">{title}</h2>
        {actions}
      </div>
      {note && <p className="-mt-1.5 text-faint text-xs">{note}</p>}
      {children}
    </section>
  );
}
