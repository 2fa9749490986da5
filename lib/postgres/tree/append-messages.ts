import {
  type AppendOptions,
  MessageConflictError,
  MessageNotFoundError,
  type SessionMessage,
} from "../../session";
import { assertDistinct, assertId, isSameBody } from "../../session/internal";
import type { AppendResult } from "../../session/ports";
import type { Sql } from "../connections/sql";
import { postgresFailure, translateFailure } from "../database-error";
import { knownMessages } from "./path-rows";
import { type MessageColumns, messageColumns, messageFromRow } from "./stored-message";

type AppendPlace = Pick<AppendQuery, "owner" | "session" | "requires">;

interface Chain extends AppendOptions {
  readonly messages: readonly SessionMessage[];
  readonly parentId: string | null | undefined;
}

/** See `SessionTreeProvider.appendMessages`. A known id is refused, and the rest stored. */
export async function appendChain(
  sql: Sql,
  target: AppendPlace,
  chain: Chain,
): Promise<AppendResult[]> {
  const { messages } = chain;
  assertDistinct(messages);
  const queries = chainQueries(target, chain);
  let earlier: ReadonlyMap<string, AppendResult> = new Map();
  for (;;) {
    const missing = queries.filter(({ id }) => !earlier.has(id));
    try {
      const rows = missing.length === 0 ? [] : await appendInTurn(sql, target, missing);
      const added = new Map(appendResults(missing, rows).map((each) => [each.message.id, each]));
      return messages.flatMap(({ id }) => added.get(id) ?? earlier.get(id) ?? []);
    } catch (error) {
      const known = isRefusal(error) ? await earlierAppends(sql, target, messages) : earlier;
      if (known.size === earlier.size) throw translateFailure(error);
      earlier = known;
    }
  }
}

/** Continues at a message (`null`: before the first); `null` when the session changed since `revision`. */
export async function continueAt(
  sql: Sql,
  target: AppendPlace,
  {
    leafId,
    messages,
    revision,
  }: {
    readonly leafId: string | null;
    readonly messages: readonly SessionMessage[];
    readonly revision: number | null;
  },
): Promise<AppendResult[] | null> {
  const queries = chainQueries(target, { messages, parentId: leafId });
  try {
    const rows = await sql<AppendRow[]>`
      select branch_id, pos, parent_id, created_at
      from chat_follow(
        ${target.owner}, ${target.session}, ${revision}, ${leafId}, ${appendJson(await withWords(queries))}::text::json,
        ${target.requires !== "nothing"}
      )`;
    return appendResults(queries, rows);
  } catch (error) {
    if (postgresFailure(error)?.code === "GR007") return null;
    throw translateFailure(error);
  }
}

function chainQueries(
  target: AppendPlace,
  { messages, parentId, activate = true }: Chain,
): AppendQuery[] {
  if (target.requires === "nothing") assertId(target.session, "session");
  return messages.map((message, index) => ({
    ...target,
    ...messageColumns(message),
    id: message.id,
    role: message.role,
    createdAt: message.createdAt ?? null,
    parentId: messages[index - 1]?.id ?? parentId,
    activate: activate === "follow" ? "follow" : activate ? "yes" : "no",
  }));
}

async function earlierAppends(
  sql: Sql,
  { owner, session }: AppendPlace,
  messages: readonly SessionMessage[],
): Promise<Map<string, AppendResult>> {
  const ids = messages.map(({ id }) => id);
  const known = await knownMessages(sql, { owner, session, ids });
  const rows = new Map(known.map((row) => [row.id, row]));
  const results = new Map<string, AppendResult>();
  for (const message of messages) {
    const row = rows.get(message.id);
    if (!row) continue;
    if (row.content === null) throw new MessageConflictError(message.id);
    const stored = messageFromRow(row);
    if (!isSameBody(stored, message)) throw new MessageConflictError(message.id);
    results.set(message.id, { inserted: false, message: stored, parentId: row.parent_id });
  }
  return results;
}

function appendResults(chain: readonly AppendQuery[], rows: readonly AppendRow[]): AppendResult[] {
  return rows.flatMap(({ created_at, parent_id }, index) => {
    const query = chain[index];
    if (!query) return [];
    return {
      inserted: true,
      message: messageFromRow({ ...query, created_at }),
      parentId: parent_id,
    };
  });
}

/** The message may exist already. */
export function isRefusal(error: unknown): boolean {
  const failure = postgresFailure(error);
  return (
    translateFailure(error) instanceof MessageNotFoundError ||
    failure?.code === "GR002" ||
    (failure?.code === "23505" && failure.constraint_name === "chat_message_id")
  );
}

interface AppendRow {
  branch_id: number;
  pos: number;
  parent_id: string | null;
  created_at: Date;
}

export interface AppendQuery extends MessageColumns {
  owner: string;
  session: string;
  id: string;
  role: string;
  createdAt: Date | null;
  parentId: string | null | undefined;
  activate: "yes" | "no" | "follow";
  requires: "nothing" | "session" | "unarchived";
}

/** A message that names its predecessor as parent continues it. */
type AppendQueries = readonly AppendQuery[];

type WholeQuery = AppendQuery & { readonly tsv: string };

function hasWords(query: AppendQuery): query is WholeQuery {
  return typeof query.tsv === "string";
}

async function withWords(chain: AppendQueries): Promise<readonly WholeQuery[]> {
  return Promise.all(chain.map(async (query) => ({ ...query, tsv: await query.tsv })));
}

interface Waiting {
  readonly chain: AppendQueries;
  readonly resolve: (rows: AppendRow[]) => void;
  readonly reject: (error: unknown) => void;
}

// Limits the statement's size and the session's lock.
const maxTogether = 64;
const maxTogetherLength = 1_000_000;

const queues = new WeakMap<Sql, Map<string, Waiting[]>>();

/**
 * Appends a chain whole or not at all. A session's concurrent appends go in one commit, in order: with a commit each,
 * 64 writers got a fifth of the disk's throughput.
 */
function appendInTurn(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
  chain: AppendQueries,
): Promise<AppendRow[]> {
  const queue = queuesOf(sql);
  const key = JSON.stringify([owner, session]);
  const waiting = queue.get(key);
  return new Promise((resolve, reject) => {
    const entry = { chain, resolve, reject };
    if (waiting) waiting.push(entry);
    else {
      queue.set(key, []);
      void drain(sql, key, [entry]);
    }
  });
}

/**
 * Runs a statement that appends to a session and does more; later appends are joined after it. `null`, with nothing
 * run, while appends of the session are under way.
 */
export async function appendAlone<Result>(
  sql: Sql,
  { owner, session }: { owner: string; session: string },
  run: () => Promise<Result>,
): Promise<Result | null> {
  const queue = queuesOf(sql);
  const key = JSON.stringify([owner, session]);
  if (queue.has(key)) return null;
  queue.set(key, []);
  try {
    return await run();
  } finally {
    void drain(sql, key, takeBatch(queue.get(key) ?? []));
  }
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
  let count = 0;
  let length = 0;
  const fits = waiting.findIndex(({ chain }, index) => {
    count += chain.length;
    for (const { content, tsv } of chain)
      length += content.length + (typeof tsv === "string" ? tsv.length : content.length);
    return index > 0 && (count > maxTogether || length > maxTogetherLength);
  });
  return waiting.splice(0, fits === -1 ? waiting.length : fits);
}

/** A refusal rolls back the statement; then each chain is sent alone. */
async function send(sql: Sql, batch: readonly Waiting[]): Promise<void> {
  if (batch.length > 1) {
    try {
      const rows = await insertChain(
        sql,
        batch.flatMap(({ chain }) => chain),
      );
      for (const { chain, resolve } of batch) resolve(rows.splice(0, chain.length));
      return;
    } catch (error) {
      if (!postgresFailure(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
    }
  }
  for (const { chain, resolve, reject } of batch) {
    await insertChain(sql, chain).then(resolve, reject);
  }
}

function queuesOf(sql: Sql): Map<string, Waiting[]> {
  const known = queues.get(sql);
  if (known) return known;
  const made = new Map<string, Waiting[]>();
  queues.set(sql, made);
  return made;
}

async function insertChain(sql: Sql, chain: AppendQueries): Promise<AppendRow[]> {
  const [first, ...rest] = chain.every(hasWords) ? chain : await withWords(chain);
  if (!first) return [];
  return rest.length === 0 ? appendOne(sql, first) : appendMany(sql, [first, ...rest]);
}

function appendOne(sql: Sql, query: WholeQuery): Promise<AppendRow[]> {
  return sql<AppendRow[]>`
    select branch_id, pos, parent_id, created_at
    from chat_append(
      ${query.owner}, ${query.session}, ${query.id}, ${query.role}, ${query.content}, ${query.preview},
      ${query.tsv}::tsvector, ${query.createdAt}, ${placeOf(query)}, ${query.parentId ?? null}, ${query.activate},
      ${query.skills}::text::json, ${query.requires}
    )`;
}

/**
 * A statement that calls a function for each message would send rows before a later refusal, which the driver counts
 * into the next result.
 */
function appendMany(sql: Sql, chain: readonly [WholeQuery, ...WholeQuery[]]): Promise<AppendRow[]> {
  const [{ owner, session }] = chain;
  return sql<AppendRow[]>`
    select branch_id, pos, parent_id, created_at
    from chat_append_all(${owner}, ${session}, ${appendJson(chain)}::text::json, ${areInARow(chain)})`;
}

function appendJson(chain: readonly WholeQuery[]): string {
  return JSON.stringify(
    chain.map((query) => ({
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
      requires: query.requires,
    })),
  );
}

function areInARow(chain: readonly WholeQuery[]): boolean {
  return chain.every((query, index) => {
    const before = chain[index - 1];
    if (!before) return true;
    if (query.activate !== before.activate || query.requires !== before.requires) return false;
    return (
      query.parentId === before.id || (query.parentId === undefined && query.activate === "yes")
    );
  });
}

/** The place of a new message, by its parent. */
export function placeOf({ parentId }: Pick<WholeQuery, "parentId">): "leaf" | "root" | "message" {
  if (parentId === undefined) return "leaf";
  return parentId === null ? "root" : "message";
}
