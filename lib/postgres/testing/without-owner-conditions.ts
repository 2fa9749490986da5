import type { Parameter, Query, Sql } from "../connections/sql";
import { interceptedStatements } from "../connections/statement";

const condition = /(?:(?:"\w+"|\b\w+)\.)?"?\bowner_id"?\s*=\s*\$\d+/g;

/**
 * Statements lose their condition on the owner while `isOn` says so: the fence below must stop them alone. Conditions
 * within functions of the database stay.
 */
export function withoutOwnerConditions(sql: Sql, isOn: () => boolean): Sql {
  return interceptedStatements(sql, (query) => (isOn() ? stripped(query) : query));
}

function stripped({ text, parameters }: Query): Query {
  const left = text.replace(condition, "true");
  const used = [...new Set([...left.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))].sort(
    (one, other) => one - other,
  );
  return {
    text: left.replace(/\$(\d+)/g, (_, n: string) => `$${used.indexOf(Number(n)) + 1}`),
    parameters: used.map((n): Parameter => parameters[n - 1] ?? null),
  };
}
