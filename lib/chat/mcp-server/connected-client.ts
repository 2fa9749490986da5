import type { OwnerData } from "@/lib/chat/core/owner-data";
import { Memory } from "@/lib/chat/memory/memory";
import { knownBlocks } from "@/lib/chat/sessions/blocks";
import type { SearchableOwner } from "@/lib/chat/sessions/search";
import type { McpScope } from "@/lib/chat/wire/keys";
import type { BlockWire } from "@/lib/chat/wire/memory";

/** A client of Grove's MCP server: whose data it sees, and how much of it. */
export interface ConnectedClient {
  readonly owner: OwnerData & SearchableOwner;
  /** Name of its key: the author of what it writes. */
  readonly name: string;
  readonly scopes: readonly McpScope[];
  /** Ids of the blocks it may know; `null` for all. */
  readonly blocks: readonly string[] | null;
  /** Returns a sentence for the client with its HTTP status, and reports what nobody expected. */
  readonly explain: (error: unknown) => { readonly status: number; readonly message: string };
}

export function may({ scopes }: ConnectedClient, ...wanted: readonly McpScope[]): boolean {
  return wanted.some((scope) => scopes.includes(scope));
}

/** Those of every chat that its key may know, skills included. */
export async function blocksKnownTo({ owner, blocks }: ConnectedClient): Promise<BlockWire[]> {
  return knownBlocks(await new Memory(owner, null).list(), blocks);
}
