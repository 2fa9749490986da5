"use client";

import { type ComponentProps, useLayoutEffect, useRef } from "react";
import { classNames } from "./class-names";
import { fieldLook } from "./field";
import { usePasteLimit } from "./use-paste-limit";

export interface TextareaProps
  extends Omit<ComponentProps<"textarea">, "ref" | "onPaste" | "onInput"> {
  ref?: React.Ref<HTMLTextAreaElement>;
  /** `plain` leaves frame and background to its container. */
  variant?: "field" | "plain";
  /** Limits pastes only: longer typed text is kept for the form to refuse. */
  pasteLimit?: number;
  maxRows?: number;
}

/** A paste longer than `maxLength` is refused with a sentence. */
export function Textarea({
  variant = "field",
  maxRows = 16,
  pasteLimit,
  className,
  style,
  rows = 1,
  ref,
  ...props
}: TextareaProps) {
  const element = useRef<HTMLTextAreaElement | null>(null);
  const { note, noteId, onPaste, onInput } = usePasteLimit(pasteLimit ?? props.maxLength);
  useLayoutEffect(() => growWithText(element.current));
  return (
    <>
      <textarea
        ref={(node) => {
          element.current = node;
          if (typeof ref === "function") return ref(node);
          if (ref) ref.current = node;
        }}
        rows={rows}
        className={classNames(
          "field-sizing-content block w-full resize-none overflow-y-auto",
          variant === "field"
            ? classNames(fieldLook, "px-3 py-2 text-sm")
            : "bg-transparent text-ink outline-none",
          className,
        )}
        style={{
          minHeight: `calc(${rows}lh + ${variant === "field" ? "1rem" : "0px"})`,
          maxHeight: `calc(${maxRows}lh + 1rem)`,
          ...style,
        }}
        {...props}
        {...(noteId && { "aria-describedby": noteId })}
        onPaste={onPaste}
        onInput={onInput}
      />
      {note}
    </>
  );
}

/** Only for browsers without `field-sizing`: measuring costs a layout per key. */
function growWithText(element: HTMLTextAreaElement | null): void {
  if (!element || CSS.supports("field-sizing", "content")) return;
  element.style.height = "auto";
  element.style.height = `${element.scrollHeight}px`;
}
