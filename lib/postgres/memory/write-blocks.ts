import { z } from "zod";
import { BlockNotFoundError } from "../../session";
import {
  assertDistinctBlocks,
  blockName,
  conflictOf,
  storableText,
  type TextWrite,
  toTsvector,
} from "../../session/internal";
import type { Sql } from "../connections/sql";
import { postgresFailure, translateFailure } from "../database-error";

const conflictSchema = z.array(z.object({ n: z.number(), version: z.number() }));

export async function writeBlocks(
  sql: Sql,
  ownerId: string,
  writes: readonly TextWrite[],
): Promise<void> {
  assertDistinctBlocks(writes);
  const rows = writes.map(({ block, content, expectedVersion, provenance }) => ({
    block: "blockId" in block ? block.blockId : null,
    label: block.label === undefined ? null : storableText(block.label),
    session: block.sessionId ?? "",
    content: storableText(content),
    tsv: toTsvector(content),
    expected: expectedVersion ?? null,
    author: provenance?.author ?? "system",
    program: provenance?.program === undefined ? null : storableText(provenance.program),
    written_in: provenance?.sessionId ?? null,
    message: provenance?.messageId ?? null,
  }));
  try {
    await sql`select chat_write_blocks(${ownerId}, ${JSON.stringify(rows)}::text::json)`;
  } catch (error) {
    throw translateRefusal(error, writes);
  }
}

function translateRefusal(error: unknown, writes: readonly TextWrite[]): unknown {
  const failure = postgresFailure(error);
  if (failure?.code === "GR008") return new BlockNotFoundError(failure.detail ?? "");
  if (failure?.code !== "GR009") return translateFailure(error);
  const changed = conflictSchema.parse(JSON.parse(failure.detail ?? "[]"));
  const inOrder = changed.toSorted((one, other) => one.n - other.n);
  const [first, ...others] = inOrder.flatMap(({ n, version }) => {
    const write = writes[n - 1];
    if (!write) return [];
    const { block, expectedVersion = 0 } = write;
    const label = block.label ?? blockName(block);
    return [{ label, sessionId: block.sessionId, expectedVersion, currentVersion: version }];
  });
  return first ? conflictOf([first, ...others]) : error;
}
