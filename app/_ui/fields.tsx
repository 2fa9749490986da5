"use client";

import { type ComponentProps, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { classNames } from "./class-names";
import { usePasteLimit } from "./use-paste-limit";

export const fieldLook =
  "w-full rounded-md border border-edge/60 bg-raised text-ink transition-colors hover:border-edge " +
  "focus:border-accent focus:outline-2 focus:outline-accent/25 focus:outline-offset-0 " +
  "aria-invalid:border-danger disabled:bg-sunken disabled:text-muted";

export type InputProps = Omit<ComponentProps<"input">, "onPaste" | "onInput">;

/** Needs an `aria-label`; with a visible label it is an {@link InputField}. */
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

export interface TextareaProps
  extends Omit<ComponentProps<"textarea">, "ref" | "onPaste" | "onInput"> {
  ref?: React.Ref<HTMLTextAreaElement>;
  variant?: "field" | "plain";
  /** The limit applies to pastes: longer typed text is kept for the form to refuse. */
  pasteLimit?: number;
  maxRows?: number;
}

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

/** Browsers without `field-sizing` are measured, which costs a layout per key. */
function growWithText(element: HTMLTextAreaElement | null): void {
  if (!element || CSS.supports("field-sizing", "content")) return;
  element.style.height = "auto";
  element.style.height = `${element.scrollHeight}px`;
}

export interface FieldLabelProps {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  optional?: boolean | undefined;
}

export function InputField(props: FieldLabelProps & Omit<InputProps, "id">) {
  const [label, input] = splitLabel(props);
  return <Labelled {...label}>{(field) => <Input {...field} {...input} />}</Labelled>;
}

/** Password managers would store the value as a login. */
export function SecretField(props: FieldLabelProps & Omit<InputProps, "id" | "type">) {
  return (
    <InputField
      type="password"
      maxLength={500}
      autoComplete="off"
      data-1p-ignore
      data-lpignore="true"
      spellCheck={false}
      {...props}
    />
  );
}

export function TextareaField(props: FieldLabelProps & Omit<TextareaProps, "id">) {
  const [label, textarea] = splitLabel(props);
  return <Labelled {...label}>{(field) => <Textarea {...field} {...textarea} />}</Labelled>;
}

export function splitLabel<Props extends FieldLabelProps>(props: Props) {
  const { label, hint, error, optional, ...field } = props;
  return [{ label, hint, error, optional }, field] as const;
}

export interface LabelledProps extends FieldLabelProps {
  children: (field: {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": true | undefined;
  }) => ReactNode;
}

export function Labelled({ label, hint, error, optional = false, children }: LabelledProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-ink text-sm">
        {label}
        {optional && <span className="font-normal text-faint"> · optional</span>}
      </label>
      {children({
        id,
        "aria-describedby": note ? `${id}-note` : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {note && (
        <p
          id={`${id}-note`}
          role={error ? "alert" : undefined}
          className={error ? "text-danger text-xs" : "text-faint text-xs"}
        >
          {note}
        </p>
      )}
    </div>
  );
}

export function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus());
}
