import type { Sql } from "postgres";

const condition = /(?:\b\w+\.)?\bowner_id\s*=\s*$/;
const builtCondition = /(?:"\w+"\.)?"owner_id"\s*=\s*\$\d+/g;

/**
 * The same pool, as if every statement had been written without its condition on the owner: what the fence below it
 * still lets pass is what the fence alone would. Conditions within functions of the database stay.
 */
export function withoutOwnerConditions(sql: Sql): Sql {
  const call = (first: unknown, ...rest: readonly unknown[]) =>
    Reflect.apply(sql, undefined, isTemplate(first) ? stripped(first, rest) : [first, ...rest]);
  const unsafe = (text: string, parameters: unknown[] = [], ...options: unknown[]) => {
    const left = strippedText(text, parameters);
    return Reflect.apply(sql.unsafe, sql, [left.text, left.parameters, ...options]);
  };
  return Object.assign(call, sql, { unsafe }) as unknown as Sql;
}

function isTemplate(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && "raw" in value;
}

function stripped(template: TemplateStringsArray, values: readonly unknown[]): unknown[] {
  const strings: string[] = [template[0] ?? ""];
  const kept: unknown[] = [];
  for (const [index, value] of values.entries()) {
    const before = strings.at(-1) ?? "";
    const after = template[index + 1] ?? "";
    if (condition.test(before))
      strings[strings.length - 1] = before.replace(condition, "true") + after;
    else {
      strings.push(after);
      kept.push(value);
    }
  }
  return [Object.assign(strings, { raw: strings }), ...kept];
}

/** Of a query builder, which numbers the parameters. */
export function strippedText(
  text: string,
  parameters: readonly unknown[],
): { text: string; parameters: unknown[] } {
  const left = text.replace(builtCondition, "true");
  const used = [...new Set([...left.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))].sort(
    (one, other) => one - other,
  );
  return {
    text: left.replace(/\$(\d+)/g, (_, n: string) => `$${used.indexOf(Number(n)) + 1}`),
    parameters: used.map((n) => parameters[n - 1]),
  };
}
