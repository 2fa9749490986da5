import type { OwnerData } from "@/lib/chat/core/owner-data";
import { Memory } from "@/lib/chat/memory/memory";
import { knownBlocks } from "@/lib/chat/sessions/blocks";
import type { SearchableOwner } from "@/lib/chat/sessions/search";
import type { McpScope } from "@/lib/chat/wire/keys";
import type { BlockWire } from "@/lib/chat/wire/memory";

export interface ConnectedClient {
  readonly owner: OwnerData & SearchableOwner;
  readonly name: string;
  readonly scopes: readonly McpScope[];
  readonly blocks: readonly string[] | null;
  readonly explain: (error: unknown) => { readonly status: number; readonly message: string };
}

export function may({ scopes }: ConnectedClient, ...wanted: readonly McpScope[]): boolean {
  return wanted.some((scope) => scopes.includes(scope));
}

export async function blocksKnownTo({ owner, blocks }: ConnectedClient): Promise<BlockWire[]> {
  return knownBlocks(await new Memory(owner, null).list(), blocks);
}
