export interface TableSort {
  readonly column: number;
  readonly direction: "ascending" | "descending";
}

export function nextSort(sort: TableSort | null, column: number): TableSort | null {
  if (sort?.column !== column) return { column, direction: "ascending" };
  return sort.direction === "ascending" ? { column, direction: "descending" } : null;
}

export function sortedPlaces(
  rows: readonly (readonly string[])[],
  sort: TableSort | null,
): readonly number[] {
  const places = rows.map((_, place) => place);
  if (!sort) return places;
  const cells = rows.map((row) => (row[sort.column] ?? "").trim());
  const keys = keysOf(cells);
  const sign = sort.direction === "ascending" ? 1 : -1;
  const isEmpty = (place: number) => cells[place] === "";
  return places.sort((a, b) => {
    if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b));
    return sign * keys.compare(a, b);
  });
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function keysOf(cells: readonly string[]): { compare: (a: number, b: number) => number } {
  const numbers = allOf(cells, numberIn);
  const values = numbers ?? allOf(cells, dateReader(cells));
  if (values) return { compare: (a, b) => (values[a] ?? 0) - (values[b] ?? 0) };
  return { compare: (a, b) => collator.compare(cells[a] ?? "", cells[b] ?? "") };
}

function allOf(
  cells: readonly string[],
  read: (cell: string) => number | null,
): readonly number[] | null {
  const values: number[] = [];
  for (const cell of cells) {
    const value = cell === "" ? 0 : read(cell);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

export function numberIn(cell: string): number | null {
  const plain = cell
    .replace(/[\s\u00a0\u202f'’_]/g, "")
    .replace(/^\((.+)\)$/, "-$1")
    .replace(/^([+\-−–]?)(?:[$€£¥₹]|USD|EUR|GBP)/, "$1")
    .replace(/(?:[$€£¥₹%]|USD|EUR|GBP)$/, "")
    .replace(/^[−–]/, "-");
  if (/^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain)) return Number(plain.replaceAll(",", ""));
  const isDotted = /^[+-]?\d{1,3}(\.\d{3})+,\d+$|^[+-]?\d{1,3}(\.\d{3}){2,}$/.test(plain);
  if (isDotted) return Number(plain.replaceAll(".", "").replace(",", "."));
  if (/^[+-]?\d+,\d+$/.test(plain)) return Number(plain.replace(",", "."));
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : null;
}

const monthName = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const threeNumbers = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/;

/** The first number of 3/4/2025 is the day with dots, or when one in the column is over 12. */
function dateReader(cells: readonly string[]): (cell: string) => number | null {
  const first = cells.map((cell) => Number(threeNumbers.exec(cell)?.[1] ?? 0));
  const isDayFirst = first.some((number) => number > 12);
  return (cell) => {
    const [, a, mark, b, year] = threeNumbers.exec(cell) ?? [];
    if (a !== undefined && b !== undefined) {
      const [month, day] = isDayFirst || mark === "." ? [b, a] : [a, b];
      return Date.UTC(Number(year), Number(month) - 1, Number(day));
    }
    if (!/^\d{4}[-/]\d{1,2}([-/]\d|$)/.test(cell) && !(monthName.test(cell) && /\d/.test(cell)))
      return null;
    const time = Date.parse(cell);
    return Number.isNaN(time) ? null : time;
  };
}
