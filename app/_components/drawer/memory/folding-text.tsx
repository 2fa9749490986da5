"use client";

import { useState } from "react";
import { Button } from "@/app/_components/ui/button";
import { classNames } from "@/app/_components/ui/class-names";

/** About what fits into the folded height: 12 lines of a narrow column. */
const longCharacters = 600;
const longLines = 12;

/** Text as it is written; the end of a long one is shown on demand. */
export function FoldingText({ text }: { text: string }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > longCharacters || text.split("\n").length > longLines;
  return (
    <div>
      <p
        dir="auto"
        className={classNames(
          "whitespace-pre-wrap text-sm [overflow-wrap:anywhere]",
          isLong && !isOpen && "line-clamp-12",
        )}
      >
        {text}
      </p>
      {isLong && (
        <Button
          size="sm"
          variant="ghost"
          className="-ml-2.5"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Show less" : "Show all"}
        </Button>
      )}
    </div>
  );
}
