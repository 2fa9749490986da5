import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";
import type { Sql } from "../connections/sql";

/** The forms that Citus refuses, or gives another meaning, where rows of an owner lie on one of several nodes. */
export type RefusedForm =
  | "a generic plan forced on a function"
  | "a function in SQL with parameters that reads a table"
  | "an interval added to a column in a write"
  | "nextval in an update"
  | "the time in an upsert"
  | "coalesce or case over a changing function in an update"
  | "a changing function of a column in the condition of a write"
  | "a lock without an owner"
  | "a value of a query in the condition of an insert"
  | "nextval beside a table"
  | "nextval in an insert"
  | "an order that begins with a sequence";

export interface Refusal {
  readonly form: RefusedForm;
  readonly text: string;
}

/**
 * The most changing of the functions of a name (`provolatile`), and of those with a number of arguments (`to_timestamp/1`).
 */
export type Volatilities = ReadonlyMap<string, "i" | "s" | "v">;

/** Columns that a sequence of the whole database fills. */
const fedBySequences = new Set(["branch_id"]);
const ofTheInstallation = /^(?:account_|pg_|rate_)/;
/** The text of their values depends on settings of the connection. */
const changingTypes = new Set(["text", "timestamptz", "timestamp", "date", "json"]);

type Tree = { readonly [key: string]: unknown };

const readsVolatilities = `
  select names.name, case when bool_or(volatility = 'v') then 'v' when bool_or(volatility = 's') then 's' else 'i' end as volatility
  from pg_proc
  cross join lateral (values (proname::text, provolatile), (proname || '/' || pronargs, provolatile)) names (name, volatility)
  group by names.name`;

/** Those that a database has. */
export async function volatilitiesIn(sql: Sql): Promise<Volatilities> {
  const rows = await sql.unsafe<{ name: string; volatility: "i" | "s" | "v" }[]>(readsVolatilities);
  return new Map(rows.map(({ name, volatility }) => [name, volatility]));
}

/** Reads statements and functions with the parser of Postgres. */
export async function distributedForms(volatilities: Volatilities) {
  await loadModule();
  return {
    /** @throws for a text that Postgres cannot parse. */
    refusals(text: string): Refusal[] {
      const { stmts = [] } = parseSync(text);
      const bytes = Buffer.from(text);
      return stmts.flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
        const own = bytes.subarray(start, length ? start + length : undefined).toString();
        return read({ tree: stmt as unknown as Tree, text: own }, volatilities);
      });
    },
  };
}

interface Parsed {
  readonly tree: Tree;
  readonly text: string;
}

function read({ tree, text }: Parsed, volatilities: Volatilities): Refusal[] {
  const [made] = found(tree, "CreateFunctionStmt");
  if (made) return ofFunction(made, { text, volatilities });
  const inDo = found(tree, "DoStmt").length > 0;
  if (inDo) return ofBody(text, volatilities);
  return formsOf(tree, volatilities).map((form) => ({ form, text }));
}

function ofFunction(
  made: Tree,
  { text, volatilities }: { text: string; volatilities: Volatilities },
): Refusal[] {
  const options = found(made.options, "DefElem");
  const name = names(made.funcname).join(".");
  const refusals: Refusal[] = [];
  const forces = options.some(({ defname, arg }) => {
    const [set] = found(arg, "VariableSetStmt");
    return (
      defname === "set" &&
      set?.name === "plan_cache_mode" &&
      JSON.stringify(set.args).includes("force_generic_plan")
    );
  });
  if (forces) refusals.push({ form: "a generic plan forced on a function", text: name });

  const language = names(options.find(({ defname }) => defname === "language")?.arg)[0];
  if (language === "plpgsql") return [...refusals, ...ofBody(text, volatilities)];
  const body = names(options.find(({ defname }) => defname === "as")?.arg)[0] ?? "";
  const takes = found(made.parameters, "FunctionParameter").some(
    ({ mode }) => mode !== "FUNC_PARAM_TABLE" && mode !== "FUNC_PARAM_OUT",
  );
  const trees = (parseSync(body).stmts ?? []).map(({ stmt }) => stmt as unknown as Tree);
  if (takes && trees.some((tree) => tables(tree).length > 0))
    refusals.push({ form: "a function in SQL with parameters that reads a table", text: name });
  const inner = trees.flatMap((tree) => formsOf(tree, volatilities));
  return [...refusals, ...inner.map((form) => ({ form, text: body }))];
}

function ofBody(text: string, volatilities: Volatilities): Refusal[] {
  return found(parsePlPgSQLSync(text) as unknown as Tree, "PLpgSQL_expr").flatMap(
    ({ query, parseMode }) => {
      const statement = parseMode === 0 ? String(query) : `select ${assigned(String(query))}`;
      const trees = parseSync(statement).stmts ?? [];
      return trees.flatMap(({ stmt }) =>
        formsOf(stmt as unknown as Tree, volatilities).map((form) => ({ form, text: statement })),
      );
    },
  );
}

/** An assignment is its right side. */
function assigned(query: string): string {
  return query.replace(/^\s*[\w.[\]]+\s*:=/, "");
}

function formsOf(statement: Tree, volatilities: Volatilities): RefusedForm[] {
  const forms = new Set<RefusedForm>();
  const level = ({ funcname, args = [] }: Tree) => {
    const name = names(funcname).at(-1) ?? "";
    return volatilities.get(`${name}/${(args as Tree[]).length}`) ?? volatilities.get(name) ?? "v";
  };
  const changes = (tree: unknown, levels = "sv") =>
    found(tree, "FuncCall").some((call) => levels.includes(level(call))) ||
    found(tree, "SQLValueFunction").length > 0;
  const addsInterval = (tree: unknown) =>
    found(tree, "A_Expr").some(
      (expression) =>
        /^[-+]$/.test(names(expression.name)[0] ?? "") &&
        hasColumn(expression) &&
        found(expression, "TypeCast").some(({ typeName }) =>
          names((typeName as Tree).names).includes("interval"),
        ),
    );
  const changingOfColumn = (tree: unknown) =>
    found(tree, "FuncCall").some((call) => level(call) !== "i" && hasColumn(call.args)) ||
    found(tree, "TypeCast").some(
      ({ arg, typeName }) =>
        changingTypes.has(names((typeName as Tree).names).at(-1) ?? "") &&
        hasColumn(arg) &&
        // The text of a transaction's number is always the same.
        !columns(arg).every((each) => each.at(-1) === "xmin"),
    );

  const isElsewhere = (write: Tree) => (write.relation as Tree).schemaname === "bookkeeping";
  const updates = found(statement, "UpdateStmt").filter((write) => !isElsewhere(write));
  const inserts = found(statement, "InsertStmt").filter((write) => !isElsewhere(write));
  const upserts = inserts.flatMap(({ onConflictClause }) =>
    onConflictClause ? [onConflictClause as Tree] : [],
  );
  for (const write of [...updates, ...upserts, ...found(statement, "DeleteStmt")]) {
    const [set, where] = [write.targetList, write.whereClause];
    if (addsInterval(set) || addsInterval(where))
      forms.add("an interval added to a column in a write");
    if (calls(set, "nextval")) forms.add("nextval in an update");
    const choices = [...found(set, "CoalesceExpr"), ...found(set, "CaseExpr")];
    if (choices.some((choice) => changes(choice)))
      forms.add("coalesce or case over a changing function in an update");
    if (changingOfColumn(set) || changingOfColumn(where) || changes(where, "v"))
      forms.add("a changing function of a column in the condition of a write");
  }
  if (upserts.some(({ targetList, whereClause }) => changes([targetList, whereClause])))
    forms.add("the time in an upsert");

  for (const insert of inserts) {
    const conditions = selects(insert.selectStmt).map(({ whereClause }) => whereClause);
    const values = found(conditions, "SubLink").filter(
      ({ subLinkType, subselect }) =>
        subLinkType === "EXPR_SUBLINK" && found(subselect, "RangeVar").length > 0,
    );
    if (values.length > 0) forms.add("a value of a query in the condition of an insert");
    if (calls(insert, "nextval")) forms.add("nextval in an insert");
  }
  if (inserts.length === 0 && calls(statement, "nextval") && tables(statement).length > 0)
    forms.add("nextval beside a table");

  for (const select of selects(statement)) {
    const ofOwners = tables(select.fromClause).filter((name) => !ofTheInstallation.test(name));
    if (select.lockingClause && ofOwners.length > 0 && !hasOwner(select))
      forms.add("a lock without an owner");
    const [first] = (select.sortClause ?? []) as Tree[];
    // Without a limit an ascending order groups the rows of a branch.
    if (isFedBySequence(first) && (select.limitCount || isDescending(first)))
      forms.add("an order that begins with a sequence");
  }
  const aggregates = found(statement, "FuncCall").flatMap(({ agg_order: order }) => order ?? []);
  if (aggregates.some((sort) => isFedBySequence(sort as Tree)))
    forms.add("an order that begins with a sequence");
  return [...forms];
}

function isFedBySequence(sort: Tree | undefined): boolean {
  const node = (sort?.SortBy as Tree | undefined)?.node as Tree | undefined;
  const column = node?.ColumnRef as Tree | undefined;
  return column !== undefined && fedBySequences.has(names(column.fields).at(-1) ?? "");
}

function isDescending(sort: Tree | undefined): boolean {
  return (sort?.SortBy as Tree | undefined)?.sortby_dir === "SORTBY_DESC";
}

function hasOwner(select: Tree): boolean {
  return found([select.whereClause, select.fromClause], "A_Expr").some(
    ({ lexpr, rexpr }) =>
      [lexpr, rexpr].some((side) => columns(side).some((each) => each.at(-1) === "owner_id")) &&
      [lexpr, rexpr].some((side) => !hasColumn(side)),
  );
}

function calls(tree: unknown, name: string): boolean {
  return found(tree, "FuncCall").some(({ funcname }) => names(funcname).at(-1) === name);
}

function tables(tree: unknown): string[] {
  return [...found(tree, "RangeVar"), ...found(tree, "relation")].map(({ relname }) =>
    String(relname),
  );
}

/** Variables of functions begin with an underscore, columns never. */
function hasColumn(tree: unknown): boolean {
  return columns(tree).some(([first]) => !first?.startsWith("_"));
}

function columns(tree: unknown): string[][] {
  return found(tree, "ColumnRef").map(({ fields }) => names(fields));
}

function names(list: unknown): string[] {
  return found(list, "String").map(({ sval }) => String(sval));
}

/** The sides of a union have no key of their own. */
function selects(tree: unknown): Tree[] {
  return ["SelectStmt", "larg", "rarg"].flatMap((key) => found(tree, key));
}

/** All below `tree` that have the key `kind`, outermost first. */
function found(tree: unknown, kind: string): Tree[] {
  if (Array.isArray(tree)) return tree.flatMap((each) => found(each, kind));
  if (tree === null || typeof tree !== "object") return [];
  return Object.entries(tree).flatMap(([key, value]) => [
    ...(key === kind ? [value as Tree] : []),
    ...found(value, kind),
  ]);
}
