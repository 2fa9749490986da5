import type { Fragment, Sql } from "@/lib/postgres/storage";
import type { ChatMove } from "./copied-rows";

interface BlockRow {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly isOwn: boolean;
}

interface Named {
  readonly blockId?: string;
  readonly label: string;
  readonly space?: string;
  readonly [field: string]: unknown;
}

export class GoingBlocks {
  readonly proposals: readonly string[];
  readonly #sql: Sql;
  readonly #move: ChatMove;
  readonly #idThere: ReadonlyMap<string, string>;
  readonly #copied: readonly string[];

  private constructor(
    sql: Sql,
    move: ChatMove,
    {
      found,
      there,
      proposals,
    }: { found: readonly BlockRow[]; there: readonly BlockRow[]; proposals: readonly string[] },
  ) {
    const own = new Set(found.filter(({ isOwn }) => isOwn).map(({ id }) => id));
    const meant = (block: BlockRow) =>
      there.find(({ id, label, kind }) => {
        const isSame = label === block.label && kind === block.kind;
        return isSame && (block.isOwn ? id === block.id : !own.has(id));
      });
    this.#sql = sql;
    this.#move = move;
    this.proposals = proposals;
    this.#idThere = new Map(found.map((block) => [block.id, meant(block)?.id ?? block.id]));
    this.#copied = found.filter((block) => !meant(block)).map(({ id }) => id);
  }

  /** Writes to them wait from then on. */
  static async find(sql: Sql, move: ChatMove): Promise<GoingBlocks> {
    const { from, to, sessionId } = move;
    await sql`select from chat_document where owner_id = ${from} and session_id = ${sessionId} for update`;
    await sql`select from chat_block where owner_id = ${from} and session_id = ${sessionId} for update`;
    const found = await sql<BlockRow[]>`
      select block.block_id as id, block.label, block.kind, block.session_id <> '' as "isOwn"
      from chat_block block
      where block.owner_id = ${from} and (
        block.session_id = ${sessionId} or block.session_id = '' and block.scope = 'session' and block.block_id in (
          select document.block_id from chat_document document
          where document.owner_id = ${from} and document.session_id = ${sessionId}
          union
          select proposal.block_id from chat_proposal proposal
          where proposal.owner_id = ${from} and proposal.session_id = ${sessionId}
        ) and not exists (
          select from chat_block own
          where own.owner_id = ${from} and own.session_id = ${sessionId} and own.block_id = block.block_id
        )
      )`;
    const there = await sql<BlockRow[]>`
      select block_id as id, label, kind, false as "isOwn"
      from chat_block
      where owner_id = ${to} and session_id = '' and scope = 'session' and deleted_at is null
        and label = any (${found.map(({ label }) => label)}::text[])`;
    const proposals = await sql<{ id: string }[]>`
      select proposal_id as id from chat_proposal
      where owner_id = ${from} and session_id = ${sessionId} and block_id = any (${found.map(({ id }) => id)}::text[])`;
    return new GoingBlocks(sql, move, { found, there, proposals: proposals.map(({ id }) => id) });
  }

  get idThere(): Fragment {
    const changed = [...this.#idThere].filter(([id, there]) => id !== there);
    return this.#sql`coalesce((
      select block.there
      from unnest(${changed.map(([id]) => id)}::text[], ${changed.map(([, there]) => there)}::text[]) block (id, there)
      where block.id = its.block_id
    ), its.block_id)`;
  }

  get rows(): { readonly rows: Fragment; readonly columns: Record<string, Fragment> } {
    const { from, sessionId } = this.#move;
    const sql = this.#sql;
    return {
      rows: sql`
        from chat_block its
        where its.owner_id = ${from} and its.session_id in ('', ${sessionId})
          and its.block_id = any (${[...this.#copied]}::text[])
          and (its.session_id <> '' or not exists (
            select from chat_block own
            where own.owner_id = ${from} and own.session_id = ${sessionId} and own.block_id = its.block_id
          ))`,
      columns: { session_id: sql`${sessionId}::text` },
    };
  }

  inMessage(json: string): string {
    if (!/\\"(writes|proposals)\\"/.test(json)) return json;
    const row: { content: string } = JSON.parse(json);
    const content: { metadata?: Record<string, unknown> } = JSON.parse(row.content);
    const { metadata } = content;
    for (const field of ["writes", "proposals"] as const) {
      const named = metadata?.[field];
      if (metadata && Array.isArray(named))
        metadata[field] = named.map((each: Named) => this.#named(each));
    }
    return JSON.stringify({ ...row, content: JSON.stringify(content) });
  }

  #named({ space, ...named }: Named): Named {
    const { from, to } = this.#move;
    if (space !== undefined)
      return space === to ? (named as Named) : { ...named, label: named.label, space };
    const { blockId } = named;
    const there = this.#idThere.get(String(blockId ?? named.label));
    if (there === undefined) return { ...named, label: named.label, space: from };
    return { ...named, label: named.label, ...(blockId !== undefined && { blockId: there }) };
  }
}
