import { namespacePrefix } from "grove-session/ports";
import type { Sql } from "grove-session/postgres";
import { interceptedStatements } from "@/lib/postgres/storage";

/** A defect of Grove: the statement was not sent. */
export class UnownedStatementError extends Error {
  override readonly name = "UnownedStatementError";
  constructor() {
    super("A statement without its owner was refused.");
  }
}

/**
 * Every statement must carry an id of the owner among its parameters: a second fence below the conditions of the
 * statements themselves.
 */
export function fencedTo(sql: Sql, ownerId: string): Sql {
  const prefix = namespacePrefix(ownerId);
  const isOwn = (value: unknown) =>
    typeof value === "string" && (value === ownerId || value.startsWith(prefix));
  return interceptedStatements(sql, (query) => {
    if (!query.parameters.some((each) => [each].flat().some(isOwn)))
      throw new UnownedStatementError();
    return query;
  });
}
