"use client";

import { Button } from "@/app/_ui/button";
import { PlainText } from "./plain-text";

export interface HeavyTextProps {
  readonly text: string;
  readonly onFormat: () => void;
}

/** Shows a block unformatted, since formatting it could freeze the page. */
export function HeavyText({ text, onFormat }: HeavyTextProps) {
  return (
    <>
      <FormatAnyway onFormat={onFormat} />
      <PlainText text={text} />
    </>
  );
}

export function FormatAnyway({ onFormat }: Pick<HeavyTextProps, "onFormat">) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-faint text-xs">
      Shown as written, because formatting it may take long.
      <Button size="sm" variant="ghost" onClick={onFormat}>
        Format anyway
      </Button>
    </p>
  );
}
