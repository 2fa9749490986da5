import type { Sql } from "postgres";
import { namespacePrefix } from "@/lib/session/internal";
import { checkedStatements } from "./connections/statement";

/** A defect of Grove: the statement was not sent. */
export class UnownedStatementError extends Error {
  override readonly name = "UnownedStatementError";
  constructor() {
    super("A statement without its owner was refused.");
  }
}

/**
 * The same pool for one owner: every statement must carry the owner's id, or that of one of its namespaces, among its
 * parameters. A second fence below the conditions of the statements themselves, in the one place that sends them.
 */
export function fencedTo(sql: Sql, ownerId: string): Sql {
  const prefix = namespacePrefix(ownerId);
  const isOwn = (value: unknown) =>
    typeof value === "string" && (value === ownerId || value.startsWith(prefix));
  const fenced = checkedStatements(sql, (parameters) => {
    if (!parameters.some(isOwn)) throw new UnownedStatementError();
  });
  if (!fenced) throw new Error("Only a pool of `connect` can be fenced.");
  return fenced;
}
