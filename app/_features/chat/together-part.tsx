import dynamic from "next/dynamic";
import { Skeleton } from "@/app/_ui/loading";

export const TogetherAnswers = dynamic(
  () => import("./together-answers").then((part) => part.TogetherAnswers),
  { ssr: false, loading: () => <Skeleton className="mt-4 h-40 w-full" /> },
);
