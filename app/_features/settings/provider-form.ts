import { kindFacts, type ProviderKind, type ProviderSettingWire } from "@/lib/chat/wire/settings";

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
  const isHosted = kindFacts(form.kind).baseUrl !== null;
  const baseUrl = form.baseUrl.trim();
  const hasKey = form.apiKey.trim() !== "" || (Boolean(stored?.keyHint) && !losesKey(form, stored));
  return {
    ...(baseUrl === "" && !isHosted ? { baseUrl: "Enter the server's URL." } : {}),
    ...(baseUrl !== "" && !isWebAddress(baseUrl)
      ? { baseUrl: "Enter a URL that starts with http:// or https://." }
      : {}),
    ...(hasKey || !isHosted ? {} : { apiKey: "Enter a key." }),
  };
}

export function defaultName(
  kind: ProviderKind,
  others: readonly Pick<ProviderSettingWire, "provider" | "name">[],
): string {
  const taken = new Set(
    others.filter(({ provider }) => provider === kind).map(({ name }) => name.toLowerCase()),
  );
  const { label } = kindFacts(kind);
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
