import { placedAssistantIn } from "@/lib/chat/core/settings-store";
import type { Sql } from "@/lib/postgres/storage";
import type { ChatMove } from "./copied-rows";

interface VersionRow {
  readonly key: string;
  readonly version: number;
}

/**
 * A version of another text names the space it is from, so that no assistant of the new place answers under its name.
 */
export class GoingAssistants {
  readonly #move: ChatMove;
  readonly #same: ReadonlySet<string>;

  private constructor(move: ChatMove, same: ReadonlySet<string>) {
    this.#move = move;
    this.#same = same;
  }

  static async find(sql: Sql, move: ChatMove): Promise<GoingAssistants> {
    const texts = (owner: string) => sql<(VersionRow & { digest: string | null })[]>`
      select version.key, version.version, md5(version.content) as digest
      from chat_document_version version
      join chat_block block on block.owner_id = version.owner_id and block.session_id = version.session_id
        and block.block_id = version.block_id
      where version.owner_id = ${owner} and version.session_id = '' and block.label = 'Assistants'`;
    const nameOf = ({ key, version }: VersionRow) => `${version} ${key}`;
    const there = new Map((await texts(move.to)).map((row) => [nameOf(row), row.digest]));
    const here = await texts(move.from);
    const same = here.filter((row) => row.digest !== null && there.get(nameOf(row)) === row.digest);
    return new GoingAssistants(move, new Set(same.map(nameOf)));
  }

  inSession(json: string): string {
    if (!json.includes('"assistant"')) return json;
    const row: { metadata?: Record<string, unknown> | null } = JSON.parse(json);
    return this.#changes(row.metadata) ? JSON.stringify(row) : json;
  }

  inMessage(json: string): string {
    if (!json.includes('\\"assistant\\":{')) return json;
    const row: { content: string } = JSON.parse(json);
    const content: { metadata?: Record<string, unknown> } = JSON.parse(row.content);
    if (!this.#changes(content.metadata)) return json;
    return JSON.stringify({ ...row, content: JSON.stringify(content) });
  }

  #changes(metadata: Record<string, unknown> | null | undefined): boolean {
    const ref = metadata && placedAssistantIn(metadata);
    if (!ref) return false;
    const { from, to } = this.#move;
    const { space, ...named } = ref;
    if (space === to) metadata.assistant = named;
    else if (space !== undefined || this.#same.has(`${ref.version} ${ref.key}`)) return false;
    else metadata.assistant = { ...named, space: from };
    return true;
  }
}
