export interface Row {
  readonly [column: string]: unknown;
}

export type Parameter = string | number | boolean | null | Date | Uint8Array | readonly Parameter[];

export interface ResultFacts {
  readonly count: number;
  readonly command: string;
}

/** Sent once, when awaited. Within another statement it is a part of that one. */
export interface Statement<Rows extends readonly unknown[] = Row[]>
  extends Fragment,
    Promise<Rows & ResultFacts> {}

export interface UnsafeOptions {
  /** The server parses the text once per connection. */
  readonly prepare?: boolean;
  readonly rows?: "objects" | "arrays";
}

/** The statement port: everything in storage is written against it. */
export interface Sql {
  <Rows extends readonly unknown[] = Row[]>(
    text: TemplateStringsArray,
    ...values: readonly (Parameter | Fragment | readonly Fragment[])[]
  ): Statement<Rows>;

  /** Text without parameters may hold several statements, which are one transaction. */
  unsafe<Rows extends readonly unknown[] = Row[]>(
    text: string,
    parameters?: readonly Parameter[],
    options?: UnsafeOptions,
  ): Statement<Rows>;

  /** Gives `each` every row as it arrives. */
  stream<One>(statement: Statement<readonly One[]>, each: (row: One) => void): Promise<void>;

  /** Waits for statements in flight, `timeout` seconds at most. */
  end(options?: { readonly timeout?: number | undefined }): Promise<void>;
}

export interface Query {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** A part of a statement. */
export class Fragment {
  readonly #texts: readonly string[];
  readonly #values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[] = []) {
    this.#texts = texts;
    this.#values = values;
  }

  query(): Query {
    const parameters: Parameter[] = [];
    return { text: this.#textWith(parameters), parameters };
  }

  #textWith(parameters: Parameter[]): string {
    const numbered = (value: unknown): string => {
      if (value instanceof Fragment) return value.#textWith(parameters);
      if (Array.isArray(value) && value[0] instanceof Fragment)
        return value.map((part) => ` ${numbered(part)}`).join("");
      return `$${parameters.push(value as Parameter)}`;
    };
    return this.#texts.reduce((text, next, n) => text + numbered(this.#values[n - 1]) + next);
  }
}

/** A name of a table, column, database or role, quoted. */
export function identifier(name: string): Fragment {
  return new Fragment([`"${name.replaceAll('"', '""')}"`]);
}
