import { Slot } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";
import { Spinner } from "./loading";
import { type TooltipSide, tooltip } from "./tooltip";

const variants = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover shadow-raised",
  quiet: "border border-line bg-raised text-ink hover:bg-hover shadow-raised",
  ghost: "text-muted hover:bg-hover hover:text-ink",
  danger: "bg-danger text-on-danger hover:bg-danger-hover shadow-raised",
} as const;

const sizes = {
  sm: "h-8 gap-1.5 rounded-md px-2.5 text-sm [&_svg]:size-3.5",
  md: "h-9 gap-2 rounded-md px-3.5 text-sm [&_svg]:size-4",
  lg: "h-11 gap-2 rounded-lg px-5 text-base [&_svg]:size-4.5",
} as const;

export interface ButtonProps extends ComponentProps<"button"> {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  asChild?: boolean;
  /** A busy button refuses clicks and keeps its label, and so its width. */
  busy?: boolean;
  icon?: ReactNode;
}

/** `primary` once per view, `quiet` beside it, `ghost` in rows and bars. */
export function Button({
  variant = "quiet",
  size = "md",
  asChild = false,
  busy = false,
  icon,
  className,
  children,
  disabled,
  ...props
}: ButtonProps) {
  const look = classNames(
    "relative inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap font-medium transition-colors print:hidden",
    "disabled:pointer-events-none disabled:opacity-50 [&_svg]:shrink-0",
    "pointer-coarse:after:absolute pointer-coarse:after:inset-x-0 pointer-coarse:after:-inset-y-1.5",
    variants[variant],
    sizes[size],
    className,
  );
  if (asChild) {
    return (
      <Slot.Root className={look} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={look}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...props}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

const iconSizes = {
  xs: "size-6 rounded-sm [&_svg]:size-3.5",
  sm: "size-8 rounded-md [&_svg]:size-4",
  md: "size-9 rounded-md [&_svg]:size-4.5",
} as const;

const iconVariants = {
  ghost:
    "text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover aria-pressed:text-accent",
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  quiet: "border border-line bg-raised text-ink hover:bg-hover shadow-raised",
} as const;

export interface IconButtonProps extends Omit<ComponentProps<"button">, "aria-label"> {
  label: string;
  shortcut?: readonly string[];
  size?: keyof typeof iconSizes;
  variant?: keyof typeof iconVariants;
  tooltip?: TooltipSide | "none";
  children: ReactNode;
}

export function IconButton({
  label,
  shortcut,
  size = "sm",
  variant = "ghost",
  tooltip: side = "bottom",
  className,
  children,
  ...props
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      {...(side !== "none" && tooltip({ label, shortcut, side }))}
      className={classNames(
        "relative inline-flex shrink-0 items-center justify-center transition-colors print:hidden",
        "disabled:pointer-events-none disabled:opacity-40",
        "pointer-coarse:after:absolute",
        size === "xs" ? "pointer-coarse:after:-inset-2.5" : "pointer-coarse:after:-inset-1.5",
        iconVariants[variant],
        iconSizes[size],
        className,
      )}
      {...props}
    >
      {children}
    </button>
  );
}
