import type { Sql } from "postgres";
import { storableText } from "@/lib/postgres/storable";
import type { PortableOf } from "./records";

/** Sets a block up, unless one of its label is set up in the same place: then that one stays as it is. */
export async function importBlock(
  sql: Sql,
  owner: string,
  { scope, label, description, kind, writers, maxTokens }: PortableOf<"block">,
): Promise<void> {
  await sql`
    insert into chat_block (owner_id, scope, label, description, kind, writers, max_tokens)
    values (
      ${owner}, ${scope}, ${storableText(label)}, ${storableText(description)}, ${kind}, ${writers}, ${maxTokens}
    )
    on conflict do nothing`;
}
