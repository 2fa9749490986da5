import type { SessionArchive } from "../../session/internal";
import { namedFailures } from "../named-failures";

interface SupabaseAnswer {
  readonly data: unknown;
  readonly error: { readonly message: string; readonly code?: string | undefined } | null;
}

interface SupabaseQuery extends PromiseLike<SupabaseAnswer> {
  eq(column: string, value: string): SupabaseQuery;
  gt(column: string, value: string): SupabaseQuery;
  order(column: string): SupabaseQuery;
  limit(count: number): SupabaseQuery;
  select(columns: string): SupabaseQuery;
}

interface SupabaseTable {
  select(columns: string): SupabaseQuery;
  upsert(row: Record<string, string | number>): SupabaseQuery;
  delete(): SupabaseQuery;
}

/** A client of `@supabase/supabase-js`, or of `@supabase/postgrest-js`. */
export interface SupabaseClient {
  // The types of its queries follow a schema, too deep to be compared with ours.
  from(table: string): object;
}

export interface SupabaseArchiveOptions {
  /** Default `session_archive`. */
  readonly table?: string | undefined;
  /** Hides archives of other owners in the same table. Default: none. */
  readonly owner?: string | undefined;
}

interface ArchiveRow {
  readonly session_id: string;
  readonly archived_at: string;
  readonly bytes: number;
  readonly text: string;
}

const rowsAtOnce = 500;

/** A table with the columns `owner`, `session_id`, `archived_at`, `bytes` and `text`, the first two its primary key. */
export function supabaseArchive(
  client: SupabaseClient,
  { table = "session_archive", owner = "" }: SupabaseArchiveOptions = {},
): SessionArchive {
  const rows = () => client.from(table) as SupabaseTable;
  return namedFailures("The archive in Supabase", {
    async put(session_id, text) {
      const archived_at = new Date().toISOString();
      const bytes = new TextEncoder().encode(text).byteLength;
      await answerOf(rows().upsert({ owner, session_id, archived_at, bytes, text }));
    },

    async get(sessionId) {
      const query = rows().select("text").eq("owner", owner).eq("session_id", sessionId);
      const [row] = await answerOf(query);
      return row?.text ?? null;
    },

    async *list() {
      for (let after = ""; ; ) {
        const page = await answerOf(
          rows()
            .select("session_id,archived_at,bytes")
            .eq("owner", owner)
            .gt("session_id", after)
            .order("session_id")
            .limit(rowsAtOnce),
        );
        for (const { session_id: sessionId, archived_at, bytes } of page)
          yield { sessionId, archivedAt: new Date(archived_at), bytes };
        // A server may allow fewer rows at once.
        const last = page.at(-1);
        if (!last) return;
        after = last.session_id;
      }
    },

    async delete(sessionId) {
      const removed = rows().delete().eq("owner", owner).eq("session_id", sessionId);
      return (await answerOf(removed.select("session_id"))).length > 0;
    },
  });
}

/** The client returns errors instead of throwing them. */
async function answerOf(query: SupabaseQuery): Promise<ArchiveRow[]> {
  const { data, error } = await query;
  if (error) throw Object.assign(new Error(error.message), { code: error.code });
  return (data ?? []) as ArchiveRow[];
}
