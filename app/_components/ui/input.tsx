import type { ComponentProps } from "react";
import { classNames } from "./class-names";
import { fieldLook } from "./field";

/** One line of text. Give it a visible label through {@link Labelled} or an `aria-label`. */
export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input
      type={type}
      className={classNames(fieldLook, "h-9 px-3 text-sm", className)}
      {...props}
    />
  );
}
