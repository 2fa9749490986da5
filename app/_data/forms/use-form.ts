"use client";

import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { toastRetry } from "@/app/_api/toast-error";
import { focusFirstError } from "@/app/_ui/fields";
import { keep, readKept } from "@/app/_ui/use-kept-state";

export interface FormOptions<Values extends object, Result> {
  /** Later values change nothing. */
  readonly initial: Values;
  readonly schema?: FormSchema<NoInfer<Values>>;
  readonly save: (values: Values) => Promise<Result>;
  /** Not called once the form is closed. */
  readonly onSaved?: (result: Result) => void;
  /** Default: the field that the server names. */
  readonly fieldOf?: (refusal: ApiError) => string | null;
  /** Keeps a closed form's changes under this name until saved, discarded, or the page is reloaded. */
  readonly draftKey?: string;
}

export interface FormState {
  readonly id: string;
  readonly problem: string | null;
  readonly isChanged: boolean;
  readonly isRestored: boolean;
  readonly isSaving: boolean;
  /** `false` leaves checking to the browser. */
  readonly hasSchema: boolean;
  readonly submit: (event: FormEvent<HTMLFormElement>) => void;
  readonly discard: () => void;
}

export interface Form<Values extends object> extends FormState {
  readonly values: Values;
  readonly change: (next: Partial<Values>) => void;
  readonly errorOf: (field: keyof Values) => string | null;
  readonly text: (field: TextField<Values>) => TextProps;
  readonly saveBy: (save: () => Promise<unknown>, onSaved: () => void) => void;
}

type TextField<Values> = {
  [Field in keyof Values]: Values[Field] extends string ? Field : never;
}[keyof Values];

interface TextProps {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}

/** A failure after the form was closed is a toast with Retry. */
export function useForm<Values extends object, Result = unknown>({
  initial,
  schema,
  save,
  onSaved,
  fieldOf = ({ field }) => field,
  draftKey,
}: FormOptions<Values, Result>): Form<Values> {
  const id = useId();
  const [wasTried, setWasTried] = useState(false);
  const { values, change, dropSaved, ...typed } = useTyped(initial, draftKey);
  const { isSaving, failure, run } = useSaving(values, dropSaved);
  const errors = errorsIn(schema ?? {}, values);

  const refusal = failure?.error instanceof ApiError ? failure.error : null;
  const refused = refusal && textFieldOf(values, fieldOf(refusal));
  const errorOf = (field: keyof Values): string | null => {
    if (wasTried && errors[field]) return errors[field];
    const isRefused = field === refused && failure?.values[field] === values[field];
    return isRefused ? errorSentence(refusal) : null;
  };
  return {
    ...{ id, values, change, errorOf, isSaving, ...typed },
    hasSchema: schema !== undefined,
    problem: failure && !refused ? errorSentence(failure.error) : null,
    text: (field) => ({
      value: String(values[field]),
      error: errorOf(field),
      onChange: ({ target }) => change({ [field]: target.value } as Partial<Values>),
    }),
    submit: (event) => {
      event.preventDefault();
      if (isSaving) return;
      setWasTried(true);
      if (Object.keys(errors).length > 0) return focusFirstError(event.currentTarget);
      void run(() => save(values), onSaved);
    },
    saveBy: (act, onDone) => void run(act, onDone),
  };
}

function useTyped<Values extends object>(first: Values, draftKey: string | undefined) {
  const [initial] = useState(first);
  const [restored] = useState(() => readDraft<Values>(draftKey));
  const [changed, setChanged] = useState<Partial<Values>>(restored ?? {});
  const fields = Object.keys(changed) as (keyof Values)[];
  const isChanged = fields.some((field) => changed[field] !== initial[field]);
  useEffect(() => {
    if (draftKey !== undefined) keep(draftName(draftKey), isChanged ? changed : null);
  }, [draftKey, changed, isChanged]);
  const discard = () => {
    if (draftKey !== undefined) keep(draftName(draftKey), null);
  };
  return {
    values: { ...initial, ...changed },
    change: (next: Partial<Values>) => setChanged((before) => ({ ...before, ...next })),
    isChanged,
    isRestored: restored !== null,
    discard,
    dropSaved: () => {
      if (readDraft(draftKey) === changed) discard();
    },
  };
}

function draftName(key: string): string {
  return `form:${key}`;
}

function readDraft<Values extends object>(key: string | undefined): Partial<Values> | null {
  return key === undefined ? null : readKept<Partial<Values> | null>(draftName(key), null);
}

interface FormFailure<Values> {
  readonly error: unknown;
  /** A field that has changed since shows no refusal. */
  readonly values: Values;
}

function useSaving<Values extends object>(values: Values, onStored: () => void) {
  const [isSaving, setIsSaving] = useState(false);
  const [failure, setFailure] = useState<FormFailure<Values> | null>(null);
  const isOpen = useIsOpen();
  async function run<Result>(act: () => Promise<Result>, onSaved?: (result: Result) => void) {
    setFailure(null);
    setIsSaving(true);
    try {
      const result = await act();
      onStored();
      if (isOpen.current) onSaved?.(result);
    } catch (error) {
      if (wasDismissed(error)) return;
      if (isOpen.current) setFailure({ error, values });
      else toastRetry(error, () => void run(act));
    } finally {
      setIsSaving(false);
    }
  }
  return { isSaving, failure, run };
}

function useIsOpen() {
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

function textFieldOf<Values extends object>(
  values: Values,
  field: string | null,
): keyof Values | null {
  const isText =
    field !== null && field in values && typeof values[field as keyof Values] === "string";
  return isText ? (field as keyof Values) : null;
}

/** A rule returns its field's sentence or `null`. No zod: forms load with the page. */
export type FormSchema<Values extends object> = {
  readonly [Field in keyof Values]?: (values: Values) => string | null;
};

type FormErrors<Values extends object> = { readonly [Field in keyof Values]?: string };

export function errorsIn<Values extends object>(
  schema: FormSchema<Values>,
  values: NoInfer<Values>,
): FormErrors<Values> {
  const errors: { [Field in keyof Values]?: string } = {};
  for (const field of Object.keys(schema) as (keyof Values)[]) {
    const error = schema[field]?.(values);
    if (error) errors[field] = error;
  }
  return errors;
}

export function dismissal(): Error {
  return new DOMException("The dialog was closed.", "NotAllowedError");
}

export function wasDismissed(error: unknown): boolean {
  return error instanceof DOMException && error.name === "NotAllowedError";
}
