import { Skeleton } from "@/app/_ui/loading";

export function SectionSkeleton() {
  return (
    <div role="status" aria-label="Loading settings" className="flex flex-col gap-4">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="mt-2 h-28 w-full rounded-xl" />
      <Skeleton className="h-40 w-full rounded-xl" />
    </div>
  );
}
