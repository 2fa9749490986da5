import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface SectionProps {
  title: string;
  /** One sentence: what this is for. */
  note?: ReactNode;
  /** Buttons at the end of the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A titled part of a drawer tab. */
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
