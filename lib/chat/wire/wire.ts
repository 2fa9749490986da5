/** JSON has dates as ISO 8601 strings. */
export type Wire<Value> = Value extends Date
  ? string
  : Value extends object
    ? { -readonly [Field in keyof Value]: Wire<Value[Field]> }
    : Value;

export function toWire<Value>(value: Value): Wire<Value> {
  return copied(value) as Wire<Value>;
}

function copied(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, copied(each)]));
}
