"use client";

import type { ComponentProps } from "react";
import { classNames } from "./class-names";
import { fieldLook } from "./field";
import { usePasteLimit } from "./use-paste-limit";

export type InputProps = Omit<ComponentProps<"input">, "onPaste" | "onInput">;

/** Needs a visible label through {@link Labelled} or an `aria-label`. */
export function Input({ className, type = "text", ...props }: InputProps) {
  const { note, noteId, onPaste, onInput } = usePasteLimit(props.maxLength);
  return (
    <>
      <input
        type={type}
        className={classNames(fieldLook, "h-9 px-3 text-sm", className)}
        {...props}
        {...(noteId && { "aria-describedby": noteId })}
        onPaste={onPaste}
        onInput={onInput}
      />
      {note}
    </>
  );
}
