import { formatCount, formatTokens } from "@/app/_ui/format-amount";
import type {
  Caching,
  ModelParameters,
  ParameterName,
  ParameterRange,
  ReasoningEffort,
} from "@/lib/chat/wire/request-fields";

export const parameterLabels: Readonly<Record<ParameterName, string>> = {
  reasoning: "Reasoning effort",
  verbosity: "Verbosity",
  temperature: "Temperature",
  maxOutputTokens: "Output limit",
  caching: "Caching",
};

export const effortLabels: Readonly<Record<ReasoningEffort, string>> = {
  none: "None",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Extra high",
  max: "Highest",
};

export const cachingLabels: Readonly<Record<Caching, string>> = {
  off: "Off",
  "5m": "5 minutes",
  "1h": "1 hour",
  "24h": "24 hours",
};

export function parameterWords(parameters: ModelParameters): [string, string][] {
  const { reasoning, verbosity, temperature, maxOutputTokens, caching } = parameters;
  const words: [ParameterName, string | undefined][] = [
    ["reasoning", reasoning && effortLabels[reasoning]],
    ["verbosity", verbosity && effortLabels[verbosity]],
    ["temperature", temperature?.toString()],
    ["maxOutputTokens", maxOutputTokens === undefined ? undefined : formatTokens(maxOutputTokens)],
    ["caching", caching && cachingLabels[caching]],
  ];
  return words.flatMap(([name, value]) => (value ? [[parameterLabels[name], value]] : []));
}

export function unsent(parameters: ModelParameters, range: ParameterRange): ParameterName[] {
  const { temperature, maxOutputTokens, reasoning, verbosity, caching } = parameters;
  const reasons = reasoning !== undefined && reasoning !== "none";
  const isOut: Record<ParameterName, boolean> = {
    reasoning: reasoning !== undefined && !range.reasoning?.includes(reasoning),
    verbosity: verbosity !== undefined && !range.verbosity,
    temperature:
      temperature !== undefined &&
      (!range.temperature ||
        temperature > range.temperature.max ||
        (range.temperature.withoutReasoning === true && reasons)),
    maxOutputTokens:
      maxOutputTokens !== undefined &&
      (!range.maxOutputTokens || maxOutputTokens > (range.maxOutputTokens.max ?? maxOutputTokens)),
    caching: caching !== undefined && !range.caching?.includes(caching),
  };
  return (Object.keys(isOut) as ParameterName[]).filter((name) => isOut[name]);
}

export interface NumberField {
  readonly value: number | undefined;
  readonly problem: string | null;
}

export function readTokens(text: string, max: number | null): NumberField {
  const digits = text.replace(/[\s,_]/g, "");
  if (digits === "") return { value: undefined, problem: null };
  const value = Number(digits);
  if (!Number.isInteger(value) || value < 1)
    return { value: undefined, problem: "Enter a whole number of at least 1." };
  const most = max ?? 10_000_000;
  if (value <= most) return { value, problem: null };
  return { value: undefined, problem: `Enter at most ${formatCount(most)}.` };
}

export function readTemperature(text: string, max: number): NumberField {
  const typed = text.trim().replace(",", ".");
  if (typed === "") return { value: undefined, problem: null };
  const value = Number(typed);
  if (Number.isFinite(value) && value >= 0 && value <= max) return { value, problem: null };
  return { value: undefined, problem: `Enter a number from 0 to ${max}.` };
}
