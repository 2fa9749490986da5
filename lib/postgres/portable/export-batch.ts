import type { Sql } from "postgres";
import type { ListedCompactionRow } from "@/lib/postgres/tree/compactions";
import { listCompactionsOf } from "@/lib/postgres/tree/compactions";
import { groupBy } from "@/lib/session/internal";
import * as queries from "./portable";
import { leafAt, leavesByUse, type PortableTree, portableTree } from "./portable-tree";

/** A session with all but the contents of its messages, its versions and its receipts. */
export interface PortableSession {
  readonly row: queries.PortableSessionRow;
  readonly tree: PortableTree;
  readonly activeLeafId: string | null;
  /** Leaves by the use of their branch, the last used one last; a leaf may occur twice. */
  readonly leavesByUse: readonly string[];
  readonly skills: readonly queries.PortableSkillRow[];
  readonly blocks: readonly queries.PortableBlockRow[];
  readonly documents: readonly queries.PortableDocumentRow[];
}

/**
 * Reads sessions in statements of all of them, since one by one each took ten; those that are gone are left out. In the
 * order of `sessions`.
 */
export async function readSessions(
  sql: Sql,
  owner: string,
  sessions: readonly string[],
): Promise<PortableSession[]> {
  const key = { owner, sessions };
  const [rows, branches, messages, compactions, skills, blocks, documents] = await Promise.all([
    queries.portableSessions(sql, key),
    queries.portableBranches(sql, key),
    queries.portableMessages(sql, key),
    listCompactionsOf(sql, key),
    queries.portableSkills(sql, key),
    queries.portableBlocks(sql, key),
    queries.portableDocuments(sql, key),
  ]);
  const of = {
    branches: bySession(branches),
    messages: bySession(messages),
    compactions: bySession<ListedCompactionRow & InSession>(compactions),
    skills: bySession(skills),
    blocks: bySession(blocks),
    documents: bySession(documents),
  };
  const found = new Map(rows.map((row) => [row.session_id, row]));
  return sessions.flatMap((id) => {
    const row = found.get(id);
    if (!row) return [];
    const [own, placed] = [of.branches.get(id) ?? [], of.messages.get(id) ?? []];
    return {
      row,
      tree: portableTree(own, placed, of.compactions.get(id) ?? []),
      activeLeafId: leafAt(own, placed, { branch: row.active_branch, pos: row.active_pos }),
      leavesByUse: leavesByUse(own, placed),
      skills: of.skills.get(id) ?? [],
      blocks: of.blocks.get(id) ?? [],
      documents: of.documents.get(id) ?? [],
    };
  });
}

interface InSession {
  readonly session: string;
}

function bySession<Row extends InSession>(rows: readonly Row[]): Map<string, Row[]> {
  return groupBy(rows, ({ session }) => session);
}
