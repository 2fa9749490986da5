import { useQuery } from "@tanstack/react-query";
import { api } from "@/app/_api/api";
import { queryKeys } from "@/app/_api/query-keys";

export function useAbout() {
  return useQuery({
    queryKey: queryKeys.about,
    queryFn: ({ signal }) => api("GET /api/about", { signal }),
  });
}
