import type { ReactNode } from "react";
import { Logo } from "@/app/_ui/logo";

/** The page of somebody who is not signed in. */
export function Door({
  title,
  note,
  children,
}: {
  title: string;
  note?: ReactNode;
  children: ReactNode;
}) {
  return (
    <main id="main" className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-2">
          <Logo className="size-5.5 text-accent" />
          <span className="font-semibold text-base tracking-tight">Grove</span>
        </div>
        <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
        {note && <div className="mt-1.5 text-muted text-sm">{note}</div>}
        <div className="mt-6 flex flex-col gap-4">{children}</div>
      </div>
    </main>
  );
}
