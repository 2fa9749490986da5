import { Memory } from "@/lib/chat/memory/memory";
import type { OwnerData } from "@/lib/chat/owner-data";

export function memoryOf({
  owner,
  query,
}: {
  owner: OwnerData;
  query: { session?: string | undefined };
}): Memory {
  return new Memory(owner, query.session ?? null);
}
