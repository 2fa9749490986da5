import { z } from "zod";
import { groupBy, portableFormat } from "../../session/internal";
import { ownConnection, snapshotOn } from "../connections/own-connection";
import type { Sql } from "../connections/sql";
import { type ObjectPlace, PostgresFiles } from "../files/postgres-files";
import { type PortableSession, readSessions } from "./export-batch";
import * as queries from "./portable";
import type { PortableNode, PortableTree } from "./portable-tree";
import type { PortableOf, PortableRecord } from "./records";

const sessionsAtOnce = 100;
const skeletonsAtOnce = 5_000;
const rowsAtOnce = 500;
const bytesAtOnce = 2_000_000;
const textsAtOnce = 20;

const storedObject = z.record(z.string(), z.unknown());
const storedVersions = z.array(z.tuple([z.string(), z.number()])).nullable();
const storedSkills = z.array(
  z.object({ label: z.string(), key: z.string(), action: z.enum(["load", "unload"]) }),
);

export interface ExportOptions {
  readonly ownerId: string;
  /** Leaves out the owner's memory. */
  readonly sessionId?: string | undefined;
  /** Default: the database holds the bytes of all files. */
  readonly place?: ObjectPlace | undefined;
  readonly settings?: readonly (PortableOf<"settings"> | PortableOf<"provider">)[] | undefined;
}

/**
 * JSON lines, without secrets and deleted rows, except for gaps. One session is of one moment. Pieces are read each of
 * one moment: memory, then sessions with all that they borrow, in the order of their creation; a session made or
 * deleted meanwhile may be left out. Holds a connection of its own, a few hundred rows, and the skeletons of some
 * sessions or one large one.
 */
export async function* exportLines(pool: Sql, options: ExportOptions): AsyncGenerator<string> {
  const sql = ownConnection(pool);
  try {
    const files = new PostgresFiles(sql, options.ownerId, options);
    const named = new Set<string>();
    const { sessionId } = options;
    const lines =
      sessionId === undefined
        ? everythingIn(sql, options)
        : snapshotOn(sql, () => oneSession(sql, { ...options, sessionId }));
    for await (const each of lines) {
      // Files follow their session, since one may be larger than the rest of the export.
      if (isEnd(each)) yield* fileLines(files, named);
      for (const [, whole, cited = ""] of each.matchAll(fileName)) named.add(whole ?? cited);
      yield each;
    }
  } finally {
    await sql.end({ timeout: 0 });
  }
}

/** Runs within a transaction. An unknown session gives only a header and an end. */
export async function* oneSession(
  sql: Sql,
  { ownerId: owner, sessionId }: { readonly ownerId: string; readonly sessionId: string },
): AsyncGenerator<string> {
  yield headerLine();
  const sessions = yield* sessionsIn(sql, owner, [sessionId]);
  yield line({ type: "end", sessions });
}

async function* everythingIn(
  sql: Sql,
  { ownerId: owner, settings = [] }: ExportOptions,
): AsyncGenerator<string> {
  yield headerLine();
  for (const record of settings) yield line(record);
  yield* snapshotOn(sql, () => memoryLines(sql, owner));
  let sessions = 0;
  await queries.openSessionList(sql, owner);
  for await (const piece of piecesOf(sql))
    sessions += yield* snapshotOn(sql, () => sessionsIn(sql, owner, piece));
  yield* usageLines(sql, owner);
  yield line({ type: "end", sessions });
}

function headerLine(): string {
  const exportedAt = new Date().toISOString();
  return line({ type: "grove-export", format: portableFormat, exportedAt });
}

async function* memoryLines(sql: Sql, owner: string): AsyncGenerator<string, undefined> {
  const key = { owner, sessions: [""] };
  yield* blockLines(await queries.portableBlocks(sql, key));
  yield* documentLines(sql, owner, await queries.portableDocuments(sql, key));
}

async function* piecesOf(sql: Sql): AsyncGenerator<string[]> {
  let piece: string[] = [];
  let messages = 0;
  while (true) {
    const listed = await queries.nextSessions(sql);
    for (const { session_id: id, message_count: count } of listed) {
      const isFull = piece.length === sessionsAtOnce || messages + count > skeletonsAtOnce;
      if (isFull && piece.length > 0) {
        yield piece;
        [piece, messages] = [[], 0];
      }
      piece.push(id);
      messages += count;
    }
    if (listed.length === 0) break;
  }
  if (piece.length > 0) yield piece;
}

async function* sessionsIn(
  sql: Sql,
  owner: string,
  ids: readonly string[],
): AsyncGenerator<string, number> {
  const [sessions, places] = await Promise.all([
    readSessions(sql, owner, ids),
    queries.portableRunPlaces(sql, { owner, sessions: ids }),
  ]);
  const runs = groupBy(places, ({ session }) => session);
  const runsOf = ({ row }: PortableSession) => runs.get(row.session_id) ?? [];
  const contents = ahead(
    sessions.flatMap(({ tree }) => tree.nodes.flatMap(({ row }) => ("isGap" in row ? [] : [row]))),
    (chunk) => queries.contentsAt(sql, { owner, places: chunk }),
  );
  const answers = ahead(sessions.flatMap(runsOf), async (chunk) => {
    const rows = await queries.portableRuns(sql, { owner, runs: chunk.map(({ run }) => run) });
    const byId = new Map(rows.map((row) => [row.runId, row]));
    return chunk.map(({ run }) => byId.get(run));
  });
  for (const session of sessions) {
    yield line(sessionRecord(session));
    const messages = yield* nodeLines(session.tree.nodes, contents);
    yield* compactionLines(session.tree.compactions);
    for (const { message_id: messageId, label, key, action } of session.skills)
      yield line({ type: "skill", messageId, label, key, action });
    yield* blockLines(session.blocks);
    yield* documentLines(sql, owner, session.documents);
    for (const _ of runsOf(session)) {
      const { value: row } = await answers.next();
      yield `${JSON.stringify({ type: "answer", ...row })}\n`;
    }
    yield line({ type: "session-end", id: session.row.session_id, messages });
  }
  return sessions.length;
}

interface Sized {
  readonly bytes: number;
}

async function* ahead<Item extends Sized, Value>(
  items: readonly Item[],
  fetch: (items: readonly Item[]) => Promise<readonly Value[]>,
): AsyncGenerator<Value, undefined> {
  let from = 0;
  while (from < items.length) {
    let to = from;
    let bytes = 0;
    do bytes += items[to++]?.bytes ?? 0;
    while (to < items.length && to - from < rowsAtOnce && bytes < bytesAtOnce);
    yield* await fetch(items.slice(from, to));
    from = to;
  }
}

function sessionRecord({
  row,
  tree,
  activeLeafId,
  ...session
}: PortableSession): PortableOf<"session"> {
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
    activeLeafId,
    skillsBefore: storedSkills.parse(row.skills_before),
    leafIds: leavesOf(tree.nodes, session.leavesByUse),
  };
}

/** The last used one comes last. */
function leavesOf(nodes: readonly PortableNode[], byUse: readonly string[]): string[] {
  const parents = new Set(nodes.map((node) => node.parentId));
  const used = new Map(byUse.map((id, index) => [id, index]));
  return nodes
    .map(({ row }) => row.id)
    .filter((id) => !parents.has(id))
    .sort((first, second) => (used.get(first) ?? -1) - (used.get(second) ?? -1));
}

/**
 * Parents before children, siblings oldest first. @returns the count of messages, whose contents come in their order.
 */
async function* nodeLines(
  nodes: readonly PortableNode[],
  contents: AsyncGenerator<string, undefined>,
): AsyncGenerator<string, number> {
  let written = 0;
  for (const { row, parentId } of nodes) {
    if ("isGap" in row) {
      yield line({ type: "gap", id: row.id, parentId });
      continue;
    }
    const { id, role, created_at: createdAt, pinned, label } = row;
    const head = { type: "message", id, parentId, role, createdAt, pinned, label };
    const { value: content } = await contents.next();
    yield `${JSON.stringify(head).slice(0, -1)},"content":${content}}\n`;
    written++;
  }
  return written;
}

function* compactionLines(compactions: PortableTree["compactions"]): Generator<string> {
  for (const { row: each, fromId, toId } of compactions) {
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
}

function* blockLines(rows: readonly queries.PortableBlockRow[]): Generator<string> {
  for (const row of rows) {
    const {
      blockId: id,
      scope,
      session,
      label,
      description,
      kind,
      writers,
      maxTokens,
      origin,
    } = row;
    const about = { origin, label, description, kind, writers, maxTokens };
    yield line({ type: "block", id, scope: session, perSession: scope === "session", ...about });
  }
}

async function* documentLines(
  sql: Sql,
  owner: string,
  documents: readonly queries.PortableDocumentRow[],
): AsyncGenerator<string> {
  for (const row of documents) {
    const { session, block_id: block, label, key, title, description, version: versions } = row;
    const about = { blockId: block, label, key, title, description, versions };
    yield line({ type: "document", scope: session, ...about });
    for (let after = 0; after < versions; ) {
      const rows: queries.PortableVersionRow[] = await queries.portableVersions(sql, {
        owner,
        session,
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
    for (const row of rows) {
      const id = queries.exportedUsageId(row.id);
      yield line({ type: "usage", ...row, id, createdAt: row.createdAt.toISOString() });
    }
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = last.id;
  }
}

/** A file by its hash, or one that an answer cites by twelve digits. */
const fileName = /"grove-file:([0-9a-f]{64})"|\(grove-file:([0-9a-f]{12})#/g;

function isEnd(text: string): boolean {
  return text.startsWith('{"type":"end"');
}

async function* fileLines(files: PostgresFiles, named: Iterable<string>): AsyncGenerator<string> {
  const given = new Set<string>();
  for (const name of named) {
    const file = await files.get(name);
    const sha256 = file?.sha256 ?? name;
    const chunks = file && !given.has(sha256) && (await files.chunks(sha256));
    if (!chunks) continue;
    given.add(sha256);
    yield line({ type: "file", ...file });
    for await (const chunk of chunks)
      yield line({ type: "file-chunk", bytes: Buffer.from(chunk).toString("base64") });
    for (const page of await files.pages(sha256)) yield line({ type: "file-page", ...page });
  }
}

function line(record: PortableRecord): string {
  return `${JSON.stringify(record)}\n`;
}
