import type { Sql } from "grove-session/postgres";
import { isOwnSpace } from "@/lib/chat/core/person-in-space";
import type { ChatMove } from "./copied-rows";

interface Receipt {
  readonly prompt?: unknown;
  readonly promptPart?: unknown;
  readonly personal?: unknown;
  readonly personalPart?: unknown;
  readonly [field: string]: unknown;
}

export const movedPart = "moved-";

/**
 * Prompts in receipts hold memory of their space. A project's chat keeps them among the person's own parts; the
 * person's space returns them into the receipt.
 */
export class ReceiptTexts {
  readonly #sql: Sql;
  readonly #move: ChatMove;
  readonly #known: ReadonlyMap<string, string>;
  readonly #made = new Map<string, string>();

  private constructor(sql: Sql, move: ChatMove, known: ReadonlyMap<string, string>) {
    this.#sql = sql;
    this.#move = move;
    this.#known = known;
  }

  static async read(sql: Sql, move: ChatMove): Promise<ReceiptTexts> {
    const { personId, from, sessionId } = move;
    const rows = await sql<{ id: string; prompt: string }[]>`
      select part_id as id, prompt
      from chat_personal_prompt
      where owner_id = ${personId} and space_id = ${from} and session_id = ${sessionId}`;
    return new ReceiptTexts(sql, move, new Map(rows.map(({ id, prompt }) => [id, prompt])));
  }

  inRun(json: string): string {
    const run: { receipt: Receipt | null } = JSON.parse(json);
    if (!run.receipt) return json;
    const { personId, to } = this.#move;
    const whole = this.#withTexts(run.receipt);
    const isProject = !isOwnSpace({ personId, spaceId: to });
    return JSON.stringify({ ...run, receipt: isProject ? this.#withoutTexts(whole) : whole });
  }

  async end(): Promise<void> {
    const { personId, from, to, sessionId } = this.#move;
    await this.#sql`
      delete from chat_personal_prompt
      where owner_id = ${personId} and space_id = ${from} and session_id = ${sessionId}`;
    if (this.#made.size === 0) return;
    await this.#sql`
      insert into chat_personal_prompt (owner_id, part_id, space_id, session_id, prompt)
      select ${personId}, made.id, ${to}, ${sessionId}, made.prompt
      from unnest(
        ${[...this.#made.values()]}::text[], ${[...this.#made.keys()]}::text[]
      ) made (id, prompt)`;
  }

  /** A part of another person stays where it is. */
  #withTexts({ promptPart, personalPart, ...receipt }: Receipt): Receipt {
    const [prompt, personal] = [this.#textOf(promptPart), this.#textOf(personalPart)];
    return {
      ...receipt,
      ...(prompt === undefined ? given({ promptPart }) : { prompt }),
      ...(personal === undefined ? given({ personalPart }) : { personal }),
    };
  }

  #withoutTexts({ prompt, personal, ...receipt }: Receipt): Receipt {
    return {
      ...receipt,
      ...(prompt !== undefined && { prompt: "" }),
      ...given({ promptPart: this.#keep(prompt), personalPart: this.#keep(personal) }),
    };
  }

  #textOf(part: unknown): string | undefined {
    return typeof part === "string" ? this.#known.get(part) : undefined;
  }

  #keep(text: unknown): string | undefined {
    if (typeof text !== "string" || text === "") return undefined;
    const id = this.#made.get(text) ?? `${movedPart}${crypto.randomUUID()}`;
    this.#made.set(text, id);
    return id;
  }
}

function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
