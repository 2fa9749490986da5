"use client";

import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { InputField, TextareaField } from "@/app/_ui/fields";
import { SelectField } from "@/app/_ui/select";
import type { KeyScopes, KeyWire } from "@/lib/chat/wire/keys";
import { useChangeKey } from "./use-keys";

type Aliases = KeyScopes["aliases"];

export function AliasesField(props: {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}) {
  return (
    <TextareaField
      label="Model aliases"
      optional
      hint="One a line: the name that the program sends, and your model, such as gpt-4o = openai/gpt-5."
      rows={2}
      spellCheck={false}
      autoComplete="off"
      {...props}
    />
  );
}

export function aliasText(aliases: Aliases): string {
  return Object.entries(aliases)
    .map(([name, model]) => `${name} = ${model}`)
    .join("\n");
}

export function aliasesIn(text: string): Aliases {
  return Object.fromEntries(linesOf(text).map(({ name, model }) => [name, model]));
}

export function aliasProblem(text: string): string | null {
  const lines = linesOf(text);
  const wrong = lines.find(({ name, model }) => name === "" || model === "");
  if (wrong) return `“${wrong.line}” is not a name, =, and a model.`;
  const names = lines.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? null : `“${twice}” has two models.`;
}

function linesOf(text: string) {
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", model = ""] = line.split("=").map((side) => side.trim());
      return { line, name, model };
    });
}

export function KeepsField({
  keeps,
  onChange,
}: {
  readonly keeps: KeyScopes["keeps"];
  readonly onChange: (keeps: KeyScopes["keeps"]) => void;
}) {
  return (
    <SelectField
      label="Conversations"
      hint="Coding agents tell every server to store nothing, which here would hide their work from you."
      value={keeps}
      options={[
        { value: "chats", label: "Keep as chats I read" },
        { value: "log", label: "Keep as a log, out of search" },
        { value: "asked", label: "Keep unless the program asks not to" },
        { value: "nothing", label: "Keep nothing" },
      ]}
      onChange={onChange}
    />
  );
}

export function DaysField(props: {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}) {
  return (
    <InputField
      label="Delete chats after days"
      optional
      hint="Counted from the last message. Deleted chats can be restored for a while; those that you pinned, archived, tagged, branched, asked something in or bookmarked a message of stay."
      inputMode="numeric"
      autoComplete="off"
      {...props}
    />
  );
}

export function AtOnceField(props: {
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}) {
  return (
    <InputField
      label="Answers at once"
      optional
      hint="Further requests wait up to a minute. One answer is always left for you, whatever programs do."
      inputMode="numeric"
      autoComplete="off"
      {...props}
    />
  );
}

export function wholeNumberIn(text: string): number | null {
  return text.trim() === "" ? null : Number(text);
}

function numberProblem(text: string, things: string, most: number): string | null {
  const number = wholeNumberIn(text);
  const isValid = number === null || (Number.isInteger(number) && number >= 1 && number <= most);
  return isValid ? null : `Enter a number of ${things} from 1 to ${most}, or leave it blank.`;
}

export const daysProblem = (text: string) => numberProblem(text, "days", 3_650);
export const atOnceProblem = (text: string) => numberProblem(text, "answers", 100);

export function KeyChangeDialog({ shown, onClose }: { shown: KeyWire; onClose: () => void }) {
  const changing = useChangeKey(shown.id);
  const form = useForm({
    initial: {
      keeps: shown.keeps,
      days: String(shown.keptDays ?? ""),
      atOnce: String(shown.maxRunning ?? ""),
      aliases: aliasText(shown.aliases),
    },
    schema: {
      days: ({ days }) => daysProblem(days),
      atOnce: ({ atOnce }) => atOnceProblem(atOnce),
      aliases: ({ aliases }) => aliasProblem(aliases),
    },
    save: ({ keeps, days, atOnce, aliases }) =>
      changing.mutateAsync({
        keeps,
        keptDays: wholeNumberIn(days),
        maxRunning: wholeNumberIn(atOnce),
        aliases: aliasesIn(aliases),
      }),
    onSaved: onClose,
  });
  return (
    <FormDialog form={form} title={`Change ${shown.name}`} saveLabel="Save" onClose={onClose}>
      {shown.canWrite && (
        <>
          <KeepsField keeps={form.values.keeps} onChange={(keeps) => form.change({ keeps })} />
          <DaysField {...form.text("days")} />
          <AtOnceField {...form.text("atOnce")} />
        </>
      )}
      <AliasesField {...form.text("aliases")} />
    </FormDialog>
  );
}
