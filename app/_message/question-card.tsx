"use client";

import { useMutation } from "@tanstack/react-query";
import { ExternalLink, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { api } from "@/app/_api/api";
import { ApiError, errorSentence } from "@/app/_api/api-error";
import { Button } from "@/app/_ui/button";
import { InputField, Labelled } from "@/app/_ui/fields";
import { hostOf } from "@/app/_ui/markdown/link-address";
import { timeOf } from "@/app/_ui/reader-day";
import { useReadsOnly } from "@/app/_ui/reads-only";
import { SelectField } from "@/app/_ui/select";
import { Switch } from "@/app/_ui/toggles";
import { useKeptState } from "@/app/_ui/use-kept-state";
import type { AnswerQuestionRequest, QuestionField, QuestionWire } from "@/lib/chat/wire/questions";

export interface QuestionCardProps {
  readonly sessionId: string;
  readonly runId: string;
  readonly question: QuestionWire;
}

type FieldValue = string | boolean | readonly string[];
type Values = Readonly<Record<string, FieldValue>>;

export function QuestionCard(props: QuestionCardProps) {
  if (!useReadsOnly()) return <AskedQuestion {...props} />;
  return (
    <p className="my-2 text-muted text-sm">A tool asks somebody who writes here for something.</p>
  );
}

function AskedQuestion({ sessionId, runId, question }: QuestionCardProps) {
  const { server, text, ask, until } = question;
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (body: AnswerQuestionRequest) =>
      api("POST /api/sessions/:sessionId/runs/:runId/questions/:questionId", {
        params: { sessionId, runId, questionId: question.id },
        body,
      }),
  });
  if (isSuccess) return null;
  const wrongField = error instanceof ApiError ? error.field : null;
  const others = (
    <>
      <Button size="sm" disabled={isPending} onClick={() => mutate({ action: "decline" })}>
        Decline
      </Button>
      <Button
        size="sm"
        variant="ghost"
        disabled={isPending}
        onClick={() => mutate({ action: "cancel" })}
      >
        Cancel
      </Button>
    </>
  );
  return (
    <section
      aria-label={`Question from ${server}`}
      className="my-3 flex flex-col gap-3 rounded-lg border border-accent/40 bg-raised p-3.5"
    >
      <header className="flex flex-col gap-1">
        <p className="wrap-anywhere font-medium text-sm">
          <bdi>{server}</bdi> asks you
        </p>
        <p className="wrap-anywhere max-h-72 overflow-auto whitespace-pre-wrap text-sm">{text}</p>
        <p className="text-faint text-xs">
          {ask.kind === "form"
            ? "What you enter goes to this server only. Never enter passwords, keys or card numbers."
            : "Nothing is opened until you open it."}{" "}
          Open until {timeOf(new Date(until))}.
        </p>
      </header>
      {ask.kind === "form" ? (
        <QuestionForm
          stateKey={`question/${question.id}`}
          fields={ask.fields}
          problem={wrongField === null || !error ? null : [wrongField, errorSentence(error)]}
          isBusy={isPending}
          onSend={(content) => mutate({ action: "accept", content })}
        >
          {others}
        </QuestionForm>
      ) : (
        <PageLink url={ask.url} onOpen={() => mutate({ action: "accept" })}>
          {others}
        </PageLink>
      )}
      {error && wrongField === null && (
        <p role="alert" className="text-danger text-sm">
          {errorSentence(error)}
        </p>
      )}
    </section>
  );
}

interface PageLinkProps {
  readonly url: string;
  readonly onOpen: () => void;
  readonly children: React.ReactNode;
}

function PageLink({ url, onOpen, children }: PageLinkProps) {
  const host = hostOf(url) ?? url;
  return (
    <>
      <p className="wrap-anywhere max-h-24 overflow-auto font-mono text-muted text-sm">
        <bdi>{url}</bdi>
      </p>
      {host.includes("xn--") && <Warning>This address uses letters that can look alike.</Warning>}
      <div className="flex flex-wrap gap-2">
        <Button size="sm" variant="primary" className="min-w-0 max-w-full shrink" asChild>
          <a href={url} target="_blank" rel="noopener noreferrer nofollow" onClick={onOpen}>
            <span className="truncate">
              Open <bdi>{host}</bdi>
            </span>
            <ExternalLink aria-hidden />
          </a>
        </Button>
        {children}
      </div>
    </>
  );
}

interface QuestionFormProps {
  readonly stateKey: string;
  readonly fields: readonly QuestionField[];
  readonly problem: readonly [string, string] | null;
  readonly isBusy: boolean;
  readonly onSend: (content: Record<string, string | number | boolean | string[]>) => void;
  readonly children: React.ReactNode;
}

function QuestionForm(props: QuestionFormProps) {
  const { stateKey, fields, problem, isBusy, onSend, children } = props;
  const [values, setValues] = useKeptState<Values>(stateKey, initialValues(fields));
  const [changed, setChanged] = useState<string | null>(null);
  return (
    <form
      noValidate
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        setChanged(null);
        onSend(contentOf(fields, values));
      }}
    >
      {fields.map((field) => (
        <div key={field.name} className="flex flex-col gap-1.5">
          <Field
            field={field}
            value={values[field.name] ?? ""}
            error={problem?.[0] === field.name && changed !== field.name ? problem[1] : null}
            onChange={(value) => {
              setChanged(field.name);
              setValues({ ...values, [field.name]: value });
            }}
          />
          {field.asksForSecret && (
            <Warning>
              This looks like a password, key or code. Servers must not ask for these here.
            </Warning>
          )}
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={isBusy}>
          Send
        </Button>
        {children}
      </div>
    </form>
  );
}

function Warning({ children }: { children: React.ReactNode }) {
  return (
    <p className="flex items-start gap-1.5 text-danger text-xs">
      <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      {children}
    </p>
  );
}

interface FieldProps {
  readonly field: QuestionField;
  readonly value: FieldValue;
  readonly error: string | null;
  readonly onChange: (value: FieldValue) => void;
}

const inputTypes = { email: "email", uri: "url", date: "date", "date-time": "text" } as const;

function Field({ field, value, error, onChange }: FieldProps) {
  const label = {
    label: field.title,
    hint: field.description === "" ? undefined : field.description,
    error,
    optional: !field.isRequired,
  };
  switch (field.kind) {
    case "text":
    case "number":
      return (
        <InputField
          {...label}
          type={
            field.kind === "number" || field.format === null ? "text" : inputTypes[field.format]
          }
          inputMode={field.kind === "number" ? "decimal" : undefined}
          placeholder={
            field.kind === "text" && field.format === "date-time"
              ? "2026-03-31T09:30:00Z"
              : undefined
          }
          autoComplete="off"
          value={String(value)}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case "boolean":
      return (
        <Labelled {...label} optional={false}>
          {({ id }) => <Switch id={id} checked={value === true} onChange={onChange} />}
        </Labelled>
      );
    case "choice":
      return (
        <SelectField
          {...label}
          value={value === "" ? null : String(value)}
          placeholder="Choose…"
          options={field.options}
          onChange={onChange}
        />
      );
    case "choices":
      return <Choices {...label} field={field} chosen={listOf(value)} onChange={onChange} />;
  }
}

interface ChoicesProps {
  readonly field: Extract<QuestionField, { kind: "choices" }>;
  readonly chosen: readonly string[];
  readonly error: string | null;
  readonly hint: string | undefined;
  readonly onChange: (value: readonly string[]) => void;
}

function Choices({ field, chosen, error, hint, onChange }: ChoicesProps) {
  const note = error ?? hint;
  return (
    <fieldset className="flex flex-col gap-1.5" aria-invalid={error ? true : undefined}>
      <legend className="mb-1.5 font-medium text-ink text-sm">{field.title}</legend>
      {field.options.map(({ value, label }) => (
        <label
          key={value}
          className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 text-sm"
        >
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(value)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...chosen, value] : chosen.filter((each) => each !== value),
              )
            }
          />
          {label}
        </label>
      ))}
      {note && (
        <p
          role={error ? "alert" : undefined}
          className={error ? "text-danger text-xs" : "text-faint text-xs"}
        >
          {note}
        </p>
      )}
    </fieldset>
  );
}

function initialValues(fields: readonly QuestionField[]): Values {
  return Object.fromEntries(
    fields.map((field) => {
      const { kind } = field;
      const isTyped = kind === "number" || kind === "choice";
      return [field.name, isTyped ? String(field.default ?? "") : field.default];
    }),
  );
}

/** Invalid numbers are sent as typed, for the server to name them. */
function contentOf(
  fields: readonly QuestionField[],
  values: Values,
): Record<string, string | number | boolean | string[]> {
  return Object.fromEntries(
    fields.map((field) => {
      const value = values[field.name] ?? "";
      if (field.kind === "choices") return [field.name, [...listOf(value)]];
      if (field.kind === "boolean") return [field.name, value === true];
      const text = String(value).trim();
      const isNumber = field.kind === "number" && text !== "" && Number.isFinite(Number(text));
      return [field.name, isNumber ? Number(text) : field.kind === "text" ? String(value) : text];
    }),
  );
}

function listOf(value: FieldValue): readonly string[] {
  return typeof value === "object" ? value : [];
}
