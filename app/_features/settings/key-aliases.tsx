"use client";

import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { TextareaField } from "@/app/_ui/fields";
import type { KeyScopes, KeyWire } from "@/lib/chat/wire/keys";
import { useChangeKey } from "./use-keys";

type Aliases = KeyScopes["aliases"];

/** A name that a program has for a model, and the model here, one line each. */
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

export function AliasesDialog({ shown, onClose }: { shown: KeyWire; onClose: () => void }) {
  const changing = useChangeKey(shown.id);
  const form = useForm({
    initial: { aliases: aliasText(shown.aliases) },
    schema: { aliases: ({ aliases }) => aliasProblem(aliases) },
    save: ({ aliases }) => changing.mutateAsync({ aliases: aliasesIn(aliases) }),
    onSaved: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Model aliases of ${shown.name}`}
      saveLabel="Save"
      onClose={onClose}
    >
      <AliasesField {...form.text("aliases")} />
    </FormDialog>
  );
}
