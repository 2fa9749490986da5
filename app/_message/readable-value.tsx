import { Fragment } from "react";
import { readable } from "./tool-words";

export function ReadableValue({ value }: { value: unknown }) {
  const fields = fieldsOf(value);
  if (!fields) return <Text text={readable(value)} isJson={typeof value !== "string"} />;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      {fields.map(([name, text]) => (
        <Fragment key={name}>
          <dt className="wrap-anywhere max-w-40 text-muted">{name}</dt>
          <dd className="wrap-anywhere max-h-72 overflow-auto whitespace-pre-wrap">{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export function Text({ text, isJson = false }: { text: string; isJson?: boolean }) {
  const look = isJson ? "font-mono text-sm" : "text-sm";
  return (
    <p className={`wrap-anywhere max-h-72 overflow-auto whitespace-pre-wrap ${look}`}>{text}</p>
  );
}

export function fieldsOf(value: unknown): readonly (readonly [string, string])[] | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.some(([, each]) => !isSimple(each))) return null;
  return entries.map(([name, each]) => [
    name,
    Array.isArray(each) ? each.join(", ") : String(each),
  ]);
}

function isSimple(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((each) => typeof each === "string");
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}
