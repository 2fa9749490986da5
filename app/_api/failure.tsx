import { ErrorNotice } from "@/app/_ui/notice";
import { errorSentence } from "./api-error";

export interface FailureProps {
  readonly of: {
    readonly error: Error | null;
    readonly isFetching?: boolean;
    readonly refetch?: () => unknown;
  };
  readonly className?: string;
}

export function Failure({ of, className }: FailureProps) {
  if (!of.error) return null;
  return (
    <ErrorNotice
      className={className}
      {...(of.refetch && { onRetry: () => void of.refetch?.(), retrying: of.isFetching })}
    >
      {errorSentence(of.error)}
    </ErrorNotice>
  );
}
