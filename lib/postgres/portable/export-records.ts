import type { Sql } from "postgres";
import { z } from "zod";
import { type ObjectPlace, PostgresFiles } from "@/lib/postgres/files/postgres-files";
import { openTransaction } from "@/lib/postgres/own-connection";
import { listCompactions } from "@/lib/postgres/tree/compactions";
import * as paths from "@/lib/postgres/tree/path-rows";
import { portableFormat } from "@/lib/session/internal";
import * as queries from "./portable";
import { type PortableNode, portableTree } from "./portable-tree";
import type { PortableOf, PortableRecord } from "./records";

const sessionsAtOnce = 50;
const messagesAtOnce = 100;
const rowsAtOnce = 500;
// Receipts and versions are long.
const textsAtOnce = 20;

const storedObject = z.record(z.string(), z.unknown());
const storedVersions = z.array(z.tuple([z.string(), z.number()])).nullable();
const storedSkills = z.array(
  z.object({ label: z.string(), key: z.string(), action: z.enum(["load", "unload"]) }),
);

export interface ExportOptions {
  readonly ownerId: string;
  /** Without the owner's memory; `null` for everything. */
  readonly sessionId?: string | undefined;
  /** Holds bytes of files. Default: the database holds all. */
  readonly place?: ObjectPlace | undefined;
  readonly settings?: readonly (PortableOf<"settings"> | PortableOf<"provider">)[] | undefined;
}

/**
 * JSON lines of one moment, without secrets and deleted rows, except for gaps. Holds at most a few hundred rows and one
 * session's skeleton at a time, and a connection of its own.
 */
export async function* exportLines(pool: Sql, options: ExportOptions): AsyncGenerator<string> {
  const sql = await openTransaction(pool, "snapshot");
  try {
    const files = new PostgresFiles(sql, options.ownerId, options);
    const named = new Set<string>();
    for await (const each of linesIn(sql, options)) {
      // After its session, since a file may be larger than the rest of the export.
      if (isEnd(each)) yield* fileLines(files, named);
      for (const [, sha256 = ""] of each.matchAll(fileName)) named.add(sha256);
      yield each;
    }
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** Those of `exportLines` without files, within a snapshot. */
export async function* linesIn(sql: Sql, options: ExportOptions): AsyncGenerator<string> {
  const { ownerId: owner, sessionId, settings = [] } = options;
  const exportedAt = new Date().toISOString();
  yield line({ type: "grove-export", format: portableFormat, exportedAt });
  if (sessionId === undefined) {
    for (const record of settings) yield line(record);
    yield* blockLines(sql, { owner, session: "" });
    yield* documentLines(sql, { owner, session: "" });
  }
  let sessions = 0;
  for await (const row of sessionRows(sql, { owner, only: sessionId ?? null })) {
    yield* sessionLines(sql, owner, row);
    sessions++;
  }
  if (sessionId === undefined) yield* usageLines(sql, owner);
  yield line({ type: "end", sessions });
}

async function* sessionRows(
  sql: Sql,
  { owner, only }: { owner: string; only: string | null },
): AsyncGenerator<queries.PortableSessionRow> {
  let after: string | null = null;
  while (true) {
    const rows: queries.PortableSessionRow[] = await queries.portableSessions(sql, {
      owner,
      only,
      after,
      limit: sessionsAtOnce,
    });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < sessionsAtOnce) return;
    after = last.session_id;
  }
}

async function* sessionLines(
  sql: Sql,
  owner: string,
  row: queries.PortableSessionRow,
): AsyncGenerator<string> {
  const key = { owner, session: row.session_id };
  const tree = portableTree(
    ...(await Promise.all([
      paths.treeBranches(sql, key),
      paths.treeRows(sql, key),
      listCompactions(sql, key),
    ])),
  );
  yield line(sessionRecord(row, leavesOf(tree.nodes, await queries.leavesByUse(sql, key))));
  const written = yield* nodeLines(sql, key, tree.nodes);
  for (const { row: each, fromId, toId } of tree.compactions) {
    yield line({
      type: "compaction",
      id: each.id,
      summary: each.summary,
      fromMessageId: fromId,
      toMessageId: toId,
      metadata: storedObject.parse(each.metadata),
      createdAt: each.created_at.toISOString(),
    });
  }
  for (const each of await queries.portableSkills(sql, key)) {
    const { message_id: messageId, label, key: skill, action } = each;
    yield line({ type: "skill", messageId, label, key: skill, action });
  }
  yield* blockLines(sql, key);
  yield* documentLines(sql, key);
  yield* answerLines(sql, key);
  yield line({ type: "session-end", id: row.session_id, messages: written });
}

function sessionRecord(row: queries.PortableSessionRow, leafIds: string[]): PortableOf<"session"> {
  return {
    type: "session",
    id: row.session_id,
    title: row.title,
    model: row.model,
    source: row.source,
    tags: row.tags,
    metadata: storedObject.parse(row.metadata),
    parentSessionId: row.parent_session_id,
    forkedAtMessageId: row.forked_at_message_id,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cost: row.cost,
    frozenPrompt: row.frozen_prompt,
    frozenVersions: storedVersions.parse(row.frozen_versions),
    pinnedAt: row.pinned_at?.toISOString() ?? null,
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    activeLeafId: row.active_leaf_id,
    skillsBefore: storedSkills.parse(row.skills_before),
    leafIds,
  };
}

/** The last used one last; those of no branch of the session's own were never used in it. */
function leavesOf(nodes: readonly PortableNode[], byUse: readonly string[]): string[] {
  const parents = new Set(nodes.map((node) => node.parentId));
  const used = new Map(byUse.map((id, index) => [id, index]));
  return nodes
    .map(({ row }) => row.id)
    .filter((id) => !parents.has(id))
    .sort((first, second) => (used.get(first) ?? -1) - (used.get(second) ?? -1));
}

/** Parents before children, siblings oldest first. @returns the count. */
async function* nodeLines(
  sql: Sql,
  key: { owner: string; session: string },
  nodes: readonly PortableNode[],
): AsyncGenerator<string, number> {
  let written = 0;
  for (let from = 0; from < nodes.length; from += messagesAtOnce) {
    const batch = nodes.slice(from, from + messagesAtOnce);
    const rows = await paths.messagesById(sql, { ...key, ids: batch.map(({ row }) => row.id) });
    const contentOf = new Map(rows.map((row) => [row.id, row.content]));
    for (const { row, parentId } of batch) {
      const content = contentOf.get(row.id);
      if ("isGap" in row || content === undefined) {
        yield line({ type: "gap", id: row.id, parentId });
        continue;
      }
      const { id, role, created_at: createdAt, pinned, label } = row;
      const head = { type: "message", id, parentId, role, createdAt, pinned, label };
      yield `${JSON.stringify(head).slice(0, -1)},"content":${content}}\n`;
      written++;
    }
  }
  return written;
}

async function* answerLines(
  sql: Sql,
  key: { owner: string; session: string },
): AsyncGenerator<string> {
  let after = "";
  while (true) {
    const rows = await queries.portableRuns(sql, { ...key, after, limit: textsAtOnce });
    for (const row of rows) yield `${JSON.stringify({ type: "answer", ...row })}\n`;
    const last = rows.at(-1);
    if (!last || rows.length < textsAtOnce) return;
    after = last.runId;
  }
}

async function* blockLines(
  sql: Sql,
  key: { owner: string; session: string },
): AsyncGenerator<string> {
  for (const row of await queries.portableBlocks(sql, key)) {
    const { blockId: id, scope, label, description, kind, writers, maxTokens, origin } = row;
    const about = { origin, label, description, kind, writers, maxTokens };
    yield line({
      type: "block",
      id,
      scope: key.session,
      perSession: scope === "session",
      ...about,
    });
  }
}

async function* documentLines(
  sql: Sql,
  place: { owner: string; session: string },
): AsyncGenerator<string> {
  for (const row of await queries.portableDocuments(sql, place)) {
    const { block_id: block, label, key, title, description, version: versions } = row;
    const about = { blockId: block, label, key, title, description, versions };
    yield line({ type: "document", scope: place.session, ...about });
    for (let after = 0; after < versions; ) {
      const rows: queries.PortableVersionRow[] = await queries.portableVersions(sql, {
        ...place,
        block,
        key,
        after,
        limit: textsAtOnce,
      });
      for (const row of rows) {
        if (row.version > versions) break;
        yield line({
          type: "version",
          version: row.version,
          content: row.content,
          author: row.author,
          ...(row.program !== null && { program: row.program }),
          sessionId: row.written_in,
          messageId: row.message_id,
          createdAt: row.created_at.toISOString(),
        });
      }
      after = rows.at(-1)?.version ?? versions;
    }
  }
}

async function* usageLines(sql: Sql, owner: string): AsyncGenerator<string> {
  let after = "";
  while (true) {
    const rows = await queries.portableUsage(sql, { owner, after, limit: rowsAtOnce });
    for (const row of rows)
      yield line({ type: "usage", ...row, createdAt: row.createdAt.toISOString() });
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}

const fileName = /"grove-file:([0-9a-f]{64})"/g;

function isEnd(text: string): boolean {
  return text.startsWith('{"type":"end"');
}

/** A file that is no longer stored is left out. */
async function* fileLines(files: PostgresFiles, named: Iterable<string>): AsyncGenerator<string> {
  for (const sha256 of named) {
    const [file, chunks] = await Promise.all([files.get(sha256), files.chunks(sha256)]);
    if (!file || !chunks) continue;
    yield line({ type: "file", ...file });
    for await (const chunk of chunks)
      yield line({ type: "file-chunk", bytes: Buffer.from(chunk).toString("base64") });
    for (const page of await files.pages(sha256)) yield line({ type: "file-page", ...page });
  }
}

function line(record: PortableRecord): string {
  return `${JSON.stringify(record)}\n`;
}
