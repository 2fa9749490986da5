import { Skeleton } from "@/app/_ui/skeleton";

export function TranscriptSkeleton() {
  return (
    <div className="mx-auto flex w-full max-w-column flex-1 flex-col gap-8 overflow-hidden px-5 pt-10">
      <span role="status" className="sr-only">
        Opening the conversation
      </span>
      <Skeleton className="ml-auto h-11 w-2/5 rounded-2xl" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="h-4 w-10/12" />
        <Skeleton className="h-4 w-1/2" />
      </div>
      <Skeleton className="ml-auto h-11 w-1/3 rounded-2xl" />
      <div className="flex flex-col gap-3">
        <Skeleton className="h-4 w-5/6" />
        <Skeleton className="h-4 w-9/12" />
      </div>
    </div>
  );
}
