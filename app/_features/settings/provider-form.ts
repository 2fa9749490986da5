import type { ProviderSettingWire } from "@/lib/chat/wire/settings";

/** Empty text means not given. */
export interface ProviderForm {
  kind: ProviderKind;
  name: string;
  baseUrl: string;
  apiKey: string;
}

export interface ProviderBody {
  provider: ProviderKind;
  name: string;
  baseUrl: string | null;
  /** Absent keeps the stored key. */
  apiKey?: string;
}

export type ProviderFormErrors = Partial<Record<"name" | "baseUrl" | "apiKey", string>>;

export function formOf(provider: ProviderSettingWire | null): ProviderForm {
  return {
    kind: provider?.provider ?? "openai",
    name: provider?.name ?? "",
    baseUrl: provider?.baseUrl ?? "",
    apiKey: "",
  };
}

/** A stored key is never sent to another address, so saving drops it. */
export function losesKey(form: ProviderForm, stored: ProviderSettingWire | null): boolean {
  if (!stored?.keyHint || form.apiKey.trim() !== "") return false;
  return form.baseUrl.trim() !== (stored.baseUrl ?? "") || form.kind !== stored.provider;
}

export function formErrors(
  form: ProviderForm,
  stored: ProviderSettingWire | null,
): ProviderFormErrors {
  const words = providerKinds[form.kind];
  const baseUrl = form.baseUrl.trim();
  const hasKey = form.apiKey.trim() !== "" || (Boolean(stored?.keyHint) && !losesKey(form, stored));
  return {
    ...(baseUrl === "" && !words.addressIsOptional ? { baseUrl: "Enter the server's URL." } : {}),
    ...(baseUrl !== "" && !isWebAddress(baseUrl)
      ? { baseUrl: "Enter a URL that starts with http:// or https://." }
      : {}),
    ...(hasKey || words.keyIsOptional ? {} : { apiKey: "Enter a key." }),
  };
}

export function defaultName(
  kind: ProviderKind,
  others: readonly Pick<ProviderSettingWire, "provider" | "name">[],
): string {
  const taken = new Set(
    others.filter(({ provider }) => provider === kind).map(({ name }) => name.toLowerCase()),
  );
  const { label } = providerKinds[kind];
  const numbered = (count: number) => (count === 1 ? label : `${label} ${count}`);
  let count = 1;
  while (taken.has(numbered(count).toLowerCase())) count++;
  return numbered(count);
}

/** An empty name becomes `nameIfEmpty`. */
export function bodyOf(form: ProviderForm, nameIfEmpty: string): ProviderBody {
  const name = form.name.trim();
  const baseUrl = form.baseUrl.trim();
  const apiKey = form.apiKey.trim();
  return {
    provider: form.kind,
    name: name === "" ? nameIfEmpty : name,
    baseUrl: baseUrl === "" ? null : baseUrl,
    ...(apiKey === "" ? {} : { apiKey }),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export type ProviderKind = ProviderSettingWire["provider"];

export interface ProviderKindWords {
  label: string;
  note: string;
  keyIsOptional: boolean;
  addressIsOptional: boolean;
  addressExample: string;
}

export const providerKinds: Record<ProviderKind, ProviderKindWords> = {
  openai: {
    label: "OpenAI",
    note: "GPT models with a key from platform.openai.com",
    keyIsOptional: false,
    addressIsOptional: true,
    addressExample: "https://api.openai.com/v1",
  },
  anthropic: {
    label: "Anthropic",
    note: "Claude models with a key from console.anthropic.com",
    keyIsOptional: false,
    addressIsOptional: true,
    addressExample: "https://api.anthropic.com/v1",
  },
  google: {
    label: "Google",
    note: "Gemini models with a key from aistudio.google.com",
    keyIsOptional: false,
    addressIsOptional: true,
    addressExample: "https://generativelanguage.googleapis.com/v1beta",
  },
  compatible: {
    label: "OpenAI-compatible",
    note: "Any server that speaks the OpenAI chat format",
    keyIsOptional: true,
    addressIsOptional: false,
    addressExample: "http://localhost:8000/v1",
  },
};
