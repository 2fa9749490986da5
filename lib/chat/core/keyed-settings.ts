import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ChatError, type ChatErrorCode } from "./chat-error";

export type StoredSettings = Readonly<Record<string, unknown>>;
type SettingRow = readonly [id: string, value: unknown];
type SettingChanges<Value> = Readonly<Record<string, Value | null>>;

interface KeyedOptions {
  /** Rows that 0.1.0 stored in one list. */
  readonly older?: (settings: StoredSettings) => readonly SettingRow[];
  readonly limit?: { readonly most: number; readonly code: ChatErrorCode; readonly noun: string };
}

export interface LeftOut {
  readonly field: string;
  readonly message: string;
}

interface ImportedRows<Value> {
  readonly field: string;
  readonly list: readonly unknown[] | undefined;
  readonly key: "id" | "ref";
  readonly label: (id: string, value: Value) => string;
  readonly isSame?: (here: Value, imported: Value) => boolean;
}

/** A list written back whole would let one of two simultaneous changes undo the other. */
export class KeyedSettings<Value> {
  readonly #prefix: string;
  readonly #schema: z.ZodType<Value>;
  readonly #options: KeyedOptions;

  constructor(prefix: string, schema: z.ZodType<Value>, options: KeyedOptions = {}) {
    this.#prefix = prefix;
    this.#schema = schema;
    this.#options = options;
  }

  read(stored: StoredSettings): Map<string, Value> {
    const own = Object.entries(stored).flatMap(([key, value]): SettingRow[] =>
      key.startsWith(this.#prefix) ? [[key.slice(this.#prefix.length), value]] : [],
    );
    return this.#parse([...(this.#options.older?.(stored) ?? []), ...own]);
  }

  changes(values: SettingChanges<Value>): SettingChanges<Value> {
    return Object.fromEntries(
      Object.entries(values).map(([id, value]) => [this.#prefix + id, value]),
    );
  }

  allowedChanges(stored: StoredSettings, values: SettingChanges<Value>): SettingChanges<Value> {
    const before = this.read(stored);
    const after = new Set(before.keys());
    for (const [id, value] of Object.entries(values))
      if (value === null) after.delete(id);
      else after.add(id);
    const { limit } = this.#options;
    if (limit && after.size > Math.max(limit.most, before.size))
      throw new ChatError(limit.code, `There can be at most ${limit.most} ${limit.noun}.`);
    return this.changes(values);
  }

  /** The limit does not apply to these rows; differing or unreadable ones are reported. */
  additions(
    stored: StoredSettings,
    { field, list = [], key, label, isSame = isDeepStrictEqual }: ImportedRows<Value>,
  ): { fresh: Map<string, Value>; leftOut: LeftOut[] } {
    const present = this.read(stored);
    const fresh = new Map<string, Value>();
    const leftOut: LeftOut[] = [];
    const idOf = z.object({ [key]: z.string().min(1).max(200) });
    for (const [index, row] of list.entries()) {
      const [found, value] = [idOf.safeParse(row), this.#schema.safeParse(row)];
      if (!found.success || !value.success) {
        leftOut.push(unreadable(`${field}.${index}`, found.error ?? value.error));
        continue;
      }
      const id = String(found.data[key]);
      const here = present.get(id) ?? fresh.get(id);
      if (here === undefined) fresh.set(id, value.data);
      else if (!isSame(here, value.data))
        leftOut.push({
          field,
          message: `“${label(id, here)}” is different here and stays as it is.`,
        });
    }
    return { fresh, leftOut };
  }

  #parse(rows: readonly SettingRow[]): Map<string, Value> {
    return new Map(
      [...new Map(rows)].flatMap(([id, value]): [string, Value][] => {
        const parsed = this.#schema.safeParse(value);
        return parsed.success ? [[id, parsed.data]] : [];
      }),
    );
  }
}

function unreadable(field: string, error: z.ZodError | undefined): LeftOut {
  const [issue] = error?.issues ?? [];
  return {
    field: [field, ...(issue?.path ?? [])].join("."),
    message: `It was left out: ${issue?.message ?? "it cannot be read"}.`,
  };
}

export function listByName<Value extends { readonly name: string }>(
  kind: KeyedSettings<Value>,
  stored: StoredSettings,
): (Value & { id: string })[] {
  return Array.from(kind.read(stored), ([id, value]) => ({ ...value, id })).toSorted(
    (a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id),
  );
}

export function rowsBy(field: string, list: unknown): SettingRow[] {
  const row = z.looseObject({ [field]: z.string() });
  return z
    .array(z.unknown())
    .catch([])
    .parse(list)
    .flatMap((each): SettingRow[] => {
      const parsed = row.safeParse(each);
      return parsed.success ? [[String(parsed.data[field]), each]] : [];
    });
}
