import { groupBy } from "../../session/internal";
import type { Sql } from "../connections/sql";
import type { ListedCompactionRow } from "../tree/compactions";
import { listCompactionsOf } from "../tree/compactions";
import * as queries from "./portable";
import { leafAt, leavesByUse, type PortableTree, portableTree } from "./portable-tree";

export interface PortableSession {
  readonly row: queries.PortableSessionRow;
  readonly tree: PortableTree;
  readonly activeLeafId: string | null;
  readonly leavesByUse: readonly string[];
  readonly skills: readonly queries.PortableSkillRow[];
  readonly blocks: readonly queries.PortableBlockRow[];
  readonly documents: readonly queries.PortableDocumentRow[];
}

/** Statements read all sessions at once, since one by one each took ten. Missing ones are left out; the order stays. */
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
