"use client";

import { type CSSProperties, memo, type ReactNode, useMemo, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { directionOf } from "@/app/_ui/isolated";
import { useOnPaper } from "@/app/_ui/on-paper";
import type { ParseMarkdown } from "./parse-markdown";
import { renderCell } from "./render-markdown";
import { scrollable } from "./scrollable";
import { asCsv, asMarkdown } from "./table-copies";
import { SortButton, TableFrame } from "./table-frame";
import { nextSort, sortedPlaces, type TableSort } from "./table-order";
import { cellWords, type TableText } from "./table-text";
import { isTooHeavy } from "./too-heavy";

export interface LongTableProps {
  readonly table: TableText;
  readonly parse: ParseMarkdown;
}

const firstRows = 20;

/** Columns are as wide as their texts, so that scrolling moves none. */
export function LongTable({ table, parse }: LongTableProps) {
  const [sort, setSort] = useState<TableSort | null>(null);
  const scroller = useRef<HTMLElement>(null);
  const isOnPaper = useOnPaper();
  const { heads, rows } = table;
  const columns = useMemo(() => columnsOf(table), [table]);
  const words = useMemo(() => (sort ? rows.map((row) => row.map(cellWords)) : []), [rows, sort]);
  const places = useMemo(
    () => (sort ? sortedPlaces(words, sort) : rows.map((_, place) => place)),
    [rows, words, sort],
  );
  const shown = () => places.map((place) => rows[place] ?? []);
  const copies = {
    csv: () => asCsv([heads, ...shown()].map((row) => row.map(cellWords))),
    markdown: () => asMarkdown({ ...table, rows: shown() }),
  };
  const lines = places.map((place, at) => (
    <Row key={place} index={at + 2} cells={rows[place] ?? []} table={table} parse={parse} />
  ));
  return (
    <TableFrame rowCount={rows.length} copies={copies}>
      <section
        ref={scroller}
        className="table-scroll table-long"
        aria-label="Table"
        dir={directionOf(heads.join(" ")) ?? undefined}
        {...scrollable}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: the rows of a table cannot be windowed */}
        <div role="table" aria-rowcount={rows.length + 1} style={columns}>
          <Line index={1} className="long-table-heads">
            {heads.map((head, column) => {
              const direction = sort?.column === column ? sort.direction : null;
              return (
                <Cell
                  key={keyOf(column)}
                  role="columnheader"
                  aria-sort={direction ?? "none"}
                  style={{ textAlign: table.aligns[column] ?? undefined }}
                >
                  <SortButton direction={direction} onSort={() => setSort(nextSort(sort, column))}>
                    <CellText cell={head} parse={parse} />
                  </SortButton>
                </Cell>
              );
            })}
          </Line>
          {isOnPaper ? (
            lines
          ) : (
            <Virtualizer scrollRef={scroller} ssrCount={Math.min(firstRows, rows.length)}>
              {lines}
            </Virtualizer>
          )}
        </div>
      </section>
    </TableFrame>
  );
}

interface RowProps extends LongTableProps {
  readonly index: number;
  readonly cells: readonly string[];
}

const Row = memo(function Row({ index, cells, table, parse }: RowProps) {
  return (
    <Line index={index}>
      {cells.map((cell, column) => (
        <Cell
          key={keyOf(column)}
          role="cell"
          dir={directionOf(cell) ?? undefined}
          style={{ textAlign: table.aligns[column] ?? undefined }}
        >
          <CellText cell={cell} parse={parse} />
        </Cell>
      ))}
    </Line>
  );
});

interface TableLineProps {
  readonly index: number;
  readonly className?: string;
  readonly children: ReactNode;
}

function Line({ index, className = "", children }: TableLineProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: see the table
    // biome-ignore lint/a11y/useFocusableInteractive: the row of a table is no control
    <div role="row" aria-rowindex={index} className={`long-table-row ${className}`}>
      {children}
    </div>
  );
}

interface CellProps {
  readonly role: "cell" | "columnheader";
  readonly "aria-sort"?: "ascending" | "descending" | "none";
  readonly dir?: "ltr" | "rtl" | undefined;
  readonly style?: CSSProperties;
  readonly children: ReactNode;
}

function Cell(props: CellProps) {
  return <div {...props} className="long-table-cell" />;
}

function keyOf(column: number): string {
  return `column ${column}`;
}

const plain = /^[^*_`~[\]<>&\\!$@]*$/;
const address = /https?:|www\./i;

function CellText({ cell, parse }: { cell: string; parse: ParseMarkdown }) {
  if ((plain.test(cell) && !address.test(cell)) || isTooHeavy(cell)) return cell;
  // A cell is parsed inside a table, so that no mark of a block is read in it.
  const content = `|x|\n|-|\n|${cell.replaceAll("|", "\\|")}|`;
  return renderCell(parse(content), content);
}

const [leastCh, mostCh] = [6, 36];

function columnsOf({ heads, rows }: TableText): CSSProperties {
  const widths = heads.map((head, column) => {
    const lengths = rows.map((row) => row[column]?.length ?? 0).sort((a, b) => a - b);
    const usual = lengths[Math.floor(lengths.length * 0.98)] ?? 0;
    // Heads are bold, with an arrow.
    return Math.min(mostCh, Math.max(leastCh, usual, head.length * 1.2 + 3));
  });
  const columns = widths.map((width) => `minmax(calc(${width}ch + 1.6rem), ${width}fr)`).join(" ");
  const sum = widths.reduce((total, width) => total + width, 0);
  const minWidth = `calc(${sum}ch + ${heads.length * 1.6}rem)`;
  return { "--columns": columns, minWidth } as CSSProperties;
}
