import type { OwnerData } from "@/lib/chat/core/owner-data";
import { Memory } from "@/lib/chat/memory/memory";

export function memoryOf({
  owner,
  query,
}: {
  owner: OwnerData;
  query: { session?: string | undefined };
}): Memory {
  return new Memory(owner, query.session ?? null);
}
