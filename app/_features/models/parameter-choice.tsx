import { SelectField } from "@/app/_ui/select";
import type { ModelParameters } from "@/lib/chat/wire/request-fields";

const unset = "unset";
const byDefault = { value: unset, label: "Default" } as const;

interface ParameterChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly labels: Readonly<Record<Value, string>>;
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

export function ParameterChoice<Value extends string>(props: ParameterChoiceProps<Value>) {
  const { label, values, labels, value, onChange } = props;
  return (
    <SelectField
      label={label}
      value={value ?? unset}
      options={[byDefault, ...values.map((each) => ({ value: each, label: labels[each] }))]}
      onChange={(next) => onChange(next === unset ? undefined : next)}
    />
  );
}

type ParameterChange = {
  [Name in keyof ModelParameters]?: ModelParameters[Name] | undefined;
};

/** `undefined` leaves a parameter to the provider. */
export function withParameter(
  parameters: ModelParameters,
  change: ParameterChange,
): ModelParameters {
  const set = Object.entries({ ...parameters, ...change }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(set);
}
