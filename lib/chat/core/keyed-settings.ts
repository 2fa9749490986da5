import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { ChatError, type ChatErrorCode } from "./chat-error";

type Settings = Readonly<Record<string, unknown>>;
type Row = readonly [id: string, value: unknown];
type Changes<Value> = Readonly<Record<string, Value | null>>;

interface KeyedOptions {
  /** Those that 0.1.0 stored in one list. */
  readonly older?: (settings: Settings) => readonly Row[];
  readonly limit?: { readonly most: number; readonly code: ChatErrorCode; readonly noun: string };
}

/** Not taken from an import; its report says so. */
export interface LeftOut {
  readonly field: string;
  readonly message: string;
}

interface ImportedRows<Value> {
  /** Of the export's line of settings. */
  readonly field: string;
  readonly list: readonly unknown[] | undefined;
  readonly key: "id" | "ref";
  readonly label: (id: string, value: Value) => string;
  readonly isSame?: (here: Value, imported: Value) => boolean;
}

/**
 * Values of one kind, each under a key of its own in an owner's settings.
 *
 * One list of them would be read and written back whole, so that of two changes at once the second undid the first.
 */
export class KeyedSettings<Value> {
  readonly #prefix: string;
  readonly #schema: z.ZodType<Value>;
  readonly #options: KeyedOptions;

  constructor(prefix: string, schema: z.ZodType<Value>, options: KeyedOptions = {}) {
    this.#prefix = prefix;
    this.#schema = schema;
    this.#options = options;
  }

  /** By id, without those that were deleted or cannot be read. */
  read(stored: Settings): Map<string, Value> {
    const own = Object.entries(stored).flatMap(([key, value]): Row[] =>
      key.startsWith(this.#prefix) ? [[key.slice(this.#prefix.length), value]] : [],
    );
    return this.#parse([...(this.#options.older?.(stored) ?? []), ...own]);
  }

  /** For `SettingsStore.change`; `null` deletes. */
  changes(values: Changes<Value>): Changes<Value> {
    return Object.fromEntries(
      Object.entries(values).map(([id, value]) => [this.#prefix + id, value]),
    );
  }

  /** @throws {ChatError} when they would add to more than the limit. */
  allowedChanges(stored: Settings, values: Changes<Value>): Changes<Value> {
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

  /** Rows of an export that are not here, also beyond the limit; reports those that differ or cannot be read. */
  additions(
    stored: Settings,
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

  /** Of two rows with one id, the later counts. */
  #parse(rows: readonly Row[]): Map<string, Value> {
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
  stored: Settings,
): (Value & { id: string })[] {
  return Array.from(kind.read(stored), ([id, value]) => ({ ...value, id })).toSorted(
    (a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id),
  );
}

/** Rows of a list by the field with their ids; others are left out. */
export function rowsBy(field: string, list: unknown): Row[] {
  const row = z.looseObject({ [field]: z.string() });
  return z
    .array(z.unknown())
    .catch([])
    .parse(list)
    .flatMap((each): Row[] => {
      const parsed = row.safeParse(each);
      return parsed.success ? [[String(parsed.data[field]), each]] : [];
    });
}
