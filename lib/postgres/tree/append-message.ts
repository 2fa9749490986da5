import type { Sql } from "postgres";
import { postgresFailure } from "@/lib/postgres/database-error";
import type { MessageColumns } from "./stored-message";

export interface AppendRow {
  branch_id: number;
  pos: number;
  parent_id: string | null;
  created_at: Date;
}

interface AppendQuery extends MessageColumns {
  owner: string;
  session: string;
  id: string;
  role: string;
  createdAt: Date | null;
  parentId: string | null | undefined;
  activate: "yes" | "no" | "follow";
  /** Refuses an unknown session. */
  mustExist: boolean;
}

interface Waiting {
  readonly query: AppendQuery;
  readonly resolve: (row: AppendRow) => void;
  readonly reject: (error: unknown) => void;
}

// Limits the statement's size and the session's lock.
const maxTogether = 64;
const maxTogetherLength = 1_000_000;

/** By session, while another append of this process runs. */
const queues = new WeakMap<Sql, Map<string, Waiting[]>>();

/**
 * Batches a session's concurrent appends, in order, into one commit: they queue at its row anyway, and with a commit
 * each, 64 writers got a fifth of the disk's throughput. A single append is sent at once.
 */
export function appendInTurn(sql: Sql, query: AppendQuery): Promise<AppendRow> {
  const queue = queuesOf(sql);
  const key = JSON.stringify([query.owner, query.session]);
  const waiting = queue.get(key);
  return new Promise((resolve, reject) => {
    const entry = { query, resolve, reject };
    if (waiting) waiting.push(entry);
    else {
      queue.set(key, []);
      void drain(sql, key, [entry]);
    }
  });
}

async function drain(sql: Sql, key: string, first: Waiting[]): Promise<void> {
  const queue = queuesOf(sql);
  let batch = first;
  while (batch.length > 0) {
    await send(sql, batch);
    batch = takeBatch(queue.get(key) ?? []);
  }
  queue.delete(key);
}

function takeBatch(waiting: Waiting[]): Waiting[] {
  let length = 0;
  const fits = waiting.findIndex(({ query }, index) => {
    length += query.content.length + query.tsv.length;
    return index > 0 && (index >= maxTogether || length > maxTogetherLength);
  });
  return waiting.splice(0, fits === -1 ? waiting.length : fits);
}

/** A refusal rolls back the statement; then each is sent alone. */
async function send(sql: Sql, batch: readonly Waiting[]): Promise<void> {
  const [first, ...rest] = batch.map(({ query }) => query);
  if (first && rest.length > 0) {
    try {
      const rows = await appendMessages(sql, [first, ...rest]);
      for (const [index, row] of rows.entries()) batch[index]?.resolve(row);
      return;
    } catch (error) {
      if (!postgresFailure(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
    }
  }
  for (const { query, resolve, reject } of batch) {
    await appendMessage(sql, query).then(resolve, reject);
  }
}

function queuesOf(sql: Sql): Map<string, Waiting[]> {
  const known = queues.get(sql);
  if (known) return known;
  const made = new Map<string, Waiting[]>();
  queues.set(sql, made);
  return made;
}

async function appendMessage(sql: Sql, query: AppendQuery): Promise<AppendRow> {
  const [row] = await sql<[AppendRow]>`
    select branch_id, pos, parent_id, created_at
    from chat_append(
      ${query.owner}, ${query.session}, ${query.id}, ${query.role}, ${query.content}, ${query.preview},
      ${query.tsv}::tsvector, ${query.createdAt}, ${placeOf(query)}, ${query.parentId ?? null}, ${query.activate},
      ${query.skills}::text::json, ${query.mustExist}
    )`;
  return row;
}

/**
 * All or none; rows in order. One function for all: a statement that calls one for each would send rows before a later
 * refusal, which the driver counts into the next result.
 */
function appendMessages(
  sql: Sql,
  [first, ...rest]: readonly [AppendQuery, ...AppendQuery[]],
): Promise<AppendRow[]> {
  const messages = [first, ...rest].map((query) => ({
    id: query.id,
    role: query.role,
    content: query.content,
    preview: query.preview,
    tsv: query.tsv,
    created: query.createdAt,
    place: placeOf(query),
    parent: query.parentId ?? null,
    activate: query.activate,
    skills: query.skills && (JSON.parse(query.skills) as unknown),
    must_exist: query.mustExist,
  }));
  return sql<AppendRow[]>`
    select branch_id, pos, parent_id, created_at
    from chat_append_all(
      ${first.owner}, ${first.session}, ${JSON.stringify(messages)}::text::json, ${areInARow(first, rest)}
    )`;
}

function areInARow(first: AppendQuery, rest: readonly AppendQuery[]): boolean {
  const becomesLeaf = (query: AppendQuery) => query.activate === "yes";
  return (
    becomesLeaf(first) && rest.every((query) => becomesLeaf(query) && placeOf(query) === "leaf")
  );
}

function placeOf({ parentId }: AppendQuery): "leaf" | "root" | "message" {
  if (parentId === undefined) return "leaf";
  return parentId === null ? "root" : "message";
}
