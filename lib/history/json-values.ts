import { JSONParser } from "@streamparser/json";
import { ForeignFormatError } from "./foreign-chat";

const bracket = 0x5b;
const spaces = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/**
 * An object gives the items of its list of chats, or else itself. @throws {ForeignFormatError} for text that is not
 * JSON, after the values before it.
 */
export async function* jsonValues(
  bytes: ReadableStream<Uint8Array>,
  { mostBytes }: { mostBytes: number },
): AsyncGenerator<unknown> {
  let values: unknown[] = [];
  let parser: JSONParser | null = null;
  let sinceValue = 0;
  let isList = false;
  let count = 0;
  const reader = bytes.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      let chunk = next.value;
      if (!parser) {
        const at = chunk.findIndex((byte) => !spaces.has(byte));
        if (at === -1) continue;
        chunk = chunk.subarray(at);
        isList = chunk[0] === bracket;
        parser = new JSONParser({ paths: [isList ? "$.*" : "$"], keepStack: false });
        parser.onValue = ({ value }) => {
          values.push(value);
          sinceValue = 0;
        };
      }
      sinceValue += chunk.byteLength;
      if (sinceValue > mostBytes)
        throw new ForeignFormatError(
          `A chat in it is larger than ${Math.round(mostBytes / 1_000_000)} MB.`,
        );
      const ready = () => {
        const taken = values;
        values = [];
        count += taken.length;
        return taken;
      };
      try {
        parser.write(chunk);
      } catch (cause) {
        yield* isList ? ready() : [];
        throw notJson(count, cause);
      }
      for (const value of ready()) yield* isList ? [value] : chatsIn(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  if (!parser) throw new ForeignFormatError("It is empty.");
  if (!parser.isEnded) throw notJson(count, undefined);
}

function notJson(count: number, cause: unknown): ForeignFormatError {
  const where = count > 0 ? `It is damaged after chat ${count}` : "It is not valid JSON";
  return new ForeignFormatError(`${where}, so what follows cannot be read.`, { cause });
}

const lists = ["conversations", "chats", "data", "history"] as const;

function chatsIn(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  const fields = value as Record<string, unknown>;
  const list = lists.map((name) => fields[name]).find(Array.isArray);
  return (list as unknown[] | undefined) ?? [value];
}
