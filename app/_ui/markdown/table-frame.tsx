"use client";

import { ArrowDown, ArrowUp, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "@/app/_ui/button";
import { countOf } from "@/app/_ui/format-amount";
import { Menu, MenuItem } from "@/app/_ui/menu";
import { toastDone, toastFailure } from "@/app/_ui/toast";
import type { TableSort } from "./table-order";

export interface TableFrameProps {
  readonly rowCount: number;
  readonly copies: { readonly csv: () => string; readonly markdown: () => string };
  readonly children: ReactNode;
}

export function TableFrame({ rowCount, copies, children }: TableFrameProps) {
  return (
    <figure className="table-block group/table">
      {children}
      <figcaption className="table-foot">
        <span>{countOf(rowCount, "row")}</span>
        <Menu
          align="end"
          trigger={
            <Button size="sm" variant="ghost" className="h-7 text-xs" aria-label="Copy table">
              <Copy aria-hidden />
              Copy
            </Button>
          }
        >
          <MenuItem onSelect={() => copy(copies.csv())}>Copy as CSV</MenuItem>
          <MenuItem onSelect={() => copy(copies.markdown())}>Copy as Markdown</MenuItem>
        </Menu>
      </figcaption>
    </figure>
  );
}

function copy(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => toastDone("Table copied"),
    () => toastFailure("Your browser blocked copying. Select the table and copy it manually."),
  );
}

export interface SortButtonProps {
  readonly direction: TableSort["direction"] | null;
  readonly onSort: () => void;
  readonly children: ReactNode;
}

export function SortButton({ direction, onSort, children }: SortButtonProps) {
  const Arrow = direction === "descending" ? ArrowDown : ArrowUp;
  return (
    <button type="button" className="table-sort" onClick={onSort} title="Sort by this column">
      <span>{children}</span>
      <Arrow aria-hidden className={direction === null ? "opacity-0" : "text-accent"} />
    </button>
  );
}
