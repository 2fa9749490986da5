"use client";

import {
  Children,
  cloneElement,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useMemo,
  useState,
} from "react";
import { scrollable } from "./scrollable";
import { asCsv, asMarkdown } from "./table-copies";
import { SortButton, TableFrame } from "./table-frame";
import { nextSort, sortedPlaces, type TableSort } from "./table-order";
import { readTable } from "./table-text";

export interface SortableTableProps {
  readonly words: readonly (readonly string[])[];
  readonly source: string;
  readonly dir?: "ltr" | "rtl";
  readonly children?: ReactNode;
}

type Parent = ReactElement<{ children?: ReactNode }>;

export function SortableTable({ words, source, children, ...direction }: SortableTableProps) {
  const [sort, setSort] = useState<TableSort | null>(null);
  const [heads = [], ...rows] = words;
  const places = useMemo(() => sortedPlaces(words.slice(1), sort), [words, sort]);
  const [head, body] = Children.toArray(children).filter(isParent);
  const bodyRows = Children.toArray(body?.props.children).filter(isParent);
  const sorted =
    body &&
    cloneElement(
      body,
      {},
      places.map((place) => bodyRows[place]),
    );

  const copies = {
    csv: () => asCsv([heads, ...places.map((place) => rows[place] ?? [])]),
    markdown: () => {
      const written = readTable(source);
      const isWhole = written?.rows.length === rows.length;
      const table = isWhole ? written : { heads, aligns: [], rows };
      return asMarkdown({ ...table, rows: places.map((place) => table.rows[place] ?? []) });
    },
  };

  return (
    <TableFrame rowCount={rows.length} copies={copies}>
      <section className="table-scroll" aria-label="Table" {...direction} {...scrollable}>
        <table>
          {head && rows.length > 1 ? withSorting(head, sort, setSort) : head}
          {sorted}
        </table>
      </section>
    </TableFrame>
  );
}

function withSorting(
  head: Parent,
  sort: TableSort | null,
  setSort: (sort: TableSort | null) => void,
): ReactNode {
  const [row] = Children.toArray(head.props.children).filter(isParent);
  if (!row) return head;
  const cells = Children.toArray(row.props.children).filter(isParent);
  const sorting = cells.map((cell, column) => {
    const direction = sort?.column === column ? sort.direction : null;
    const button = (
      <SortButton direction={direction} onSort={() => setSort(nextSort(sort, column))}>
        {cell.props.children}
      </SortButton>
    );
    return cloneElement<{ "aria-sort"?: string; children?: ReactNode }>(
      cell,
      { "aria-sort": direction ?? "none" },
      button,
    );
  });
  return cloneElement(head, {}, cloneElement(row, {}, sorting));
}

function isParent(child: ReactNode): child is Parent {
  return isValidElement(child);
}
