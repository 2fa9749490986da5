import type { SessionMessage } from "grove-session";
import type { Sql } from "grove-session/postgres";
import { searchableText } from "@/lib/session/internal";

/** Parent pointers, as the Postgres provider of Cloudflare's Session API reads and writes them. */
export class PeerStore {
  constructor(
    private readonly sql: Sql,
    private readonly session: string,
  ) {}

  async appendMessage(message: SessionMessage): Promise<void> {
    const parent = (await this.latestLeaf()) ?? null;
    if (parent !== null) {
      await this
        .sql`select id from bench_peer where id = ${parent} and session_id = ${this.session}`;
    }
    await this.sql`
      insert into bench_peer (id, session_id, parent_id, role, content, text_content)
      values (${message.id}, ${this.session}, ${parent}, ${message.role}, ${JSON.stringify(message)}, ${searchableText(message)})
      on conflict (session_id, id) do nothing`;
  }

  async getHistory(): Promise<SessionMessage[]> {
    const leaf = await this.latestLeaf();
    if (leaf === undefined) return [];
    return messagesIn(
      await this.sql<ContentRow[]>`
        with recursive path as (
          select id, parent_id, content, 0 as depth from bench_peer where id = ${leaf} and session_id = ${this.session}
          union all
          select parent.id, parent.parent_id, parent.content, path.depth + 1
          from bench_peer parent join path on parent.id = path.parent_id
          where parent.session_id = ${this.session} and path.depth < 10000
        )
        select content from path order by depth desc`,
    );
  }

  async getMessage(id: string): Promise<SessionMessage | undefined> {
    const rows = await this.sql<ContentRow[]>`
      select content from bench_peer where id = ${id} and session_id = ${this.session}`;
    return messagesIn(rows)[0];
  }

  async getBranches(id: string): Promise<SessionMessage[]> {
    return messagesIn(
      await this.sql<ContentRow[]>`
        select content from bench_peer where parent_id = ${id} and session_id = ${this.session} order by created_at asc`,
    );
  }

  async searchMessages(query: string): Promise<{ id: string; content: string }[]> {
    return await this.sql<{ id: string; content: string }[]>`
      select id, role, text_content as content from bench_peer
      where session_id = ${this.session} and content_tsv @@ plainto_tsquery('english', ${query})
      order by ts_rank(content_tsv, plainto_tsquery('english', ${query})) desc
      limit 20`;
  }

  getTree(): Promise<unknown> {
    return this.sql`
      with recursive walk as (
        select id, parent_id, role, created_at from bench_peer where session_id = ${this.session} and parent_id is null
        union all
        select child.id, child.parent_id, child.role, child.created_at
        from walk join bench_peer child on child.parent_id = walk.id
        where child.session_id = ${this.session}
      )
      select * from walk`;
  }

  private async latestLeaf(): Promise<string | undefined> {
    const [row] = await this.sql<{ id: string }[]>`
      select message.id, message.content
      from bench_peer message
      left join bench_peer child on child.parent_id = message.id and child.session_id = ${this.session}
      where child.id is null and message.session_id = ${this.session}
      order by message.created_at desc limit 1`;
    return row?.id;
  }
}

export const nameOfPeer = (name: string): string => `${name} of the peer`;

interface ContentRow {
  content: string;
}

const messagesIn = (rows: readonly ContentRow[]): SessionMessage[] =>
  rows.map(({ content }) => JSON.parse(content) as SessionMessage);

export async function createPeerTable(sql: Sql): Promise<void> {
  await sql`
    create table bench_peer (
      id text not null, session_id text not null, parent_id text, role text not null, content text not null,
      text_content text not null default '', created_at timestamptz default clock_timestamp(),
      content_tsv tsvector generated always as (to_tsvector('english', text_content)) stored,
      primary key (session_id, id)
    )`;
  await sql`create index on bench_peer (parent_id)`;
  await sql`create index on bench_peer (session_id)`;
  await sql`create index on bench_peer using gin (content_tsv)`;
}

export async function copyToPeer(
  sql: Sql,
  session: string,
  path: readonly SessionMessage[],
): Promise<void> {
  const perStatement = 1_000;
  for (let from = 0; from < path.length; from += perStatement) {
    const rows = path.slice(from, from + perStatement).map((message, n) => ({
      id: message.id,
      session_id: session,
      parent_id: path[from + n - 1]?.id ?? null,
      role: message.role,
      content: JSON.stringify(message),
      text_content: searchableText(message),
    }));
    await sql`
      insert into bench_peer (id, session_id, parent_id, role, content, text_content)
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as given (id text, session_id text, parent_id text, role text, content text, text_content text)`;
  }
}
