import { Skeleton } from "@/app/_ui/skeleton";

const widths = ["w-4/5", "w-3/5", "w-11/12", "w-2/3", "w-3/4", "w-1/2", "w-5/6"] as const;

export function SessionListSkeleton() {
  return (
    <div role="status" aria-label="Loading chats" className="px-4.5 pt-4">
      <Skeleton className="mb-3 h-3 w-14" />
      {widths.map((width) => (
        <div key={width} className="flex h-9 items-center">
          <Skeleton className={`h-3.5 ${width}`} />
        </div>
      ))}
    </div>
  );
}
