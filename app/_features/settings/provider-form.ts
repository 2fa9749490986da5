import type { FormSchema } from "@/app/_data/forms/use-form";
import { kindFacts, type ProviderKind, type ProviderSettingWire } from "@/lib/chat/wire/settings";

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
  /** An absent key keeps the stored one. */
  apiKey?: string;
}

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

export function providerSchema(stored: ProviderSettingWire | null): FormSchema<ProviderForm> {
  return {
    baseUrl: ({ kind, baseUrl }) => {
      const url = baseUrl.trim();
      if (url === "") return isHosted(kind) ? null : "Enter the server's URL.";
      return isWebAddress(url) ? null : "Enter a URL that starts with http:// or https://.";
    },
    apiKey: (form) => {
      const isStored = Boolean(stored?.keyHint) && !losesKey(form, stored);
      const hasKey = form.apiKey.trim() !== "" || isStored;
      return hasKey || !isHosted(form.kind) ? null : "Enter a key.";
    },
  };
}

function isHosted(kind: ProviderKind): boolean {
  return kindFacts(kind).baseUrl !== null;
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
