import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";

export interface ErrorNoticeProps {
  children: ReactNode;
  onRetry?: () => void;
  retryLabel?: string;
  retrying?: boolean;
  actions?: ReactNode;
  className?: string;
}

export function ErrorNotice({
  children,
  onRetry,
  retryLabel = "Retry",
  retrying = false,
  actions,
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
      <p className="min-w-40 flex-1">{children}</p>
      {onRetry && (
        <Button size="sm" onClick={onRetry} busy={retrying}>
          {retryLabel}
        </Button>
      )}
      {actions}
    </div>
  );
}
