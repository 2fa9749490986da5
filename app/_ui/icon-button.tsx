"use client";

import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";
import { Tooltip } from "./tooltip";

const sizes = {
  xs: "size-6 rounded-sm [&_svg]:size-3.5",
  sm: "size-8 rounded-md [&_svg]:size-4",
  md: "size-9 rounded-md [&_svg]:size-4.5",
} as const;

const variants = {
  ghost:
    "text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover aria-pressed:text-accent",
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  quiet: "border border-line bg-raised text-ink hover:bg-hover shadow-raised",
} as const;

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  /** Accessible name and tooltip. */
  label: string;
  shortcut?: readonly string[];
  size?: keyof typeof sizes;
  variant?: keyof typeof variants;
  /** `none` for triggers that open something themselves. */
  tooltip?: "top" | "bottom" | "left" | "right" | "none";
  children: ReactNode;
}

/** Touch screens get a 44 px target. */
export function IconButton({
  label,
  shortcut,
  size = "sm",
  variant = "ghost",
  tooltip = "bottom",
  className,
  children,
  ...props
}: IconButtonProps) {
  const button = (
    <button
      type="button"
      aria-label={label}
      className={classNames(
        "relative inline-flex shrink-0 items-center justify-center transition-colors",
        "disabled:pointer-events-none disabled:opacity-40",
        "pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5",
        variants[variant],
        sizes[size],
        className,
      )}
      {...props}
    >
      {children}
    </button>
  );
  if (tooltip === "none") return button;
  return (
    <Tooltip label={label} side={tooltip} {...(shortcut ? { shortcut } : {})}>
      {button}
    </Tooltip>
  );
}
