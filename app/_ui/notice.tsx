import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";

export interface ErrorNoticeProps {
  children: ReactNode;
  onRetry?: () => void;
  retryLabel?: string;
  retrying?: boolean | undefined;
  actions?: ReactNode;
  details?: string | undefined;
  className?: string | undefined;
}

export function ErrorNotice({
  children,
  onRetry,
  retryLabel = "Retry",
  retrying = false,
  actions,
  details,
  className,
}: ErrorNoticeProps) {
  return (
    <div
      role="alert"
      className={classNames(
        "flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-danger-soft px-3.5 py-2.5 text-danger text-sm",
        className,
      )}
    >
      <CircleAlert aria-hidden className="size-4 shrink-0" />
      <div className="min-w-40 flex-1">{children}</div>
      {onRetry && (
        <Button size="sm" onClick={onRetry} busy={retrying}>
          {retryLabel}
        </Button>
      )}
      {actions}
      {details && (
        <details className="w-full pl-7 text-xs">
          <summary className="w-fit cursor-pointer rounded-sm">Details</summary>
          <p dir="auto" className="wrap-anywhere mt-1 font-mono">
            {details}
          </p>
        </details>
      )}
    </div>
  );
}

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center px-6 py-10 text-center">
      {icon && <div className="mb-3 text-accent [&_svg]:size-7">{icon}</div>}
      <p className="font-medium text-ink">{title}</p>
      {children && <div className="mt-1.5 text-balance text-muted text-sm">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
