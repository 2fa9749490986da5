import type postgres from "postgres";

type Types = Pick<postgres.Sql["options"], "parsers" | "serializers">;
type DriverOptions = { readonly shared: { readonly typeArrayMap: Record<number, number> } };

/** Element and array. @see https://www.postgresql.org/docs/current/catalog-pg-type.html */
const builtIn = [
  [16, 1000], // bool
  [17, 1001], // bytea
  [18, 1002], // char
  [19, 1003], // name
  [20, 1016], // int8
  [21, 1005], // int2
  [23, 1007], // int4
  [25, 1009], // text
  [26, 1028], // oid
  [114, 199], // json
  [700, 1021], // float4
  [701, 1022], // float8
  [1042, 1014], // bpchar
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
] as const;

/** Spares the driver asking the server. Types of extensions stay text. */
export function addArrayTypes(options: Types): void {
  const { parsers, serializers, shared } = options as Types & DriverOptions;
  for (const [element, array] of builtIn) {
    shared.typeArrayMap[element] ??= array;
    parsers[array] ??= (text: string) => parseArray(text, parsers[element] ?? asIs);
    serializers[array] ??= (values: unknown) =>
      Array.isArray(values) ? arrayText(values, serializers[element] ?? String) : values;
  }
}

const asIs = (text: string): unknown => text;

/** @see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export function parseArray(text: string, parse: (item: string) => unknown): unknown[] {
  // Bounds other than 1 come before: `[0:1]={a,b}`.
  let at = text.indexOf("{");
  const unquoted = () => {
    const begin = at;
    while (text[at] !== "," && text[at] !== "}") at++;
    const item = text.slice(begin, at);
    return item === "NULL" ? null : parse(item);
  };
  const quoted = () => {
    const begin = at + 1;
    for (at = begin; text[at] !== '"'; at++) if (text[at] === "\\") at++;
    return parse(text.slice(begin, at++).replace(/\\(.)/gs, "$1"));
  };
  const list = (): unknown[] => {
    const items: unknown[] = [];
    at++;
    while (text[at] !== "}") {
      if (text[at] === "{") items.push(list());
      else items.push(text[at] === '"' ? quoted() : unquoted());
      if (text[at] === ",") at++;
    }
    at++;
    return items;
  };
  return list();
}

export function arrayText(
  values: readonly unknown[],
  serialize: (value: unknown) => unknown,
): string {
  const items = values.map((value) => {
    if (Array.isArray(value)) return arrayText(value, serialize);
    if (value === null || value === undefined) return "NULL";
    return `"${String(serialize(value)).replace(/[\\"]/g, "\\$&")}"`;
  });
  return `{${items.join(",")}}`;
}
