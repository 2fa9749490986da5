import type { ReactNode } from "react";
import { classNames } from "./class-names";

const tones = {
  neutral: "bg-ink/7 text-muted",
  accent: "bg-accent-soft text-accent",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
} as const;

export interface BadgeProps {
  tone?: keyof typeof tones;
  children: ReactNode;
}

export function Badge({ tone = "neutral", children }: BadgeProps) {
  return (
    <span
      className={classNames(
        "inline-flex max-w-full shrink-0 items-center gap-1 whitespace-nowrap rounded-full px-2 font-medium text-2xs leading-5 [&_svg]:size-3",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
