import type { FormSchema } from "@/app/_data/forms/use-form";
import {
  isPreset,
  kindFacts,
  type PresetId,
  type ProviderKind,
  type ProviderSettingWire,
  presetFacts,
  presetOf,
} from "@/lib/chat/wire/settings";

export type ProviderType = ProviderKind | PresetId;

export interface ProviderForm {
  type: ProviderType;
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

interface TypeFacts {
  readonly label: string;
  readonly note: string;
  readonly hostedUrl: string | null;
  readonly exampleUrl: string | undefined;
  readonly keysUrl: string | null;
  readonly hint: string | undefined;
}

export function typeFacts(type: ProviderType): TypeFacts {
  if (isPreset(type)) {
    const { label, note, baseUrl, keysUrl, hint } = presetFacts(type);
    return { label, note, hostedUrl: null, exampleUrl: baseUrl, keysUrl, hint };
  }
  const { label, note, baseUrl, exampleUrl, keysUrl = null } = kindFacts(type);
  return { label, note, hostedUrl: baseUrl, exampleUrl, keysUrl, hint: undefined };
}

export function typeOf({
  provider,
  baseUrl,
}: Pick<ProviderSettingWire, "provider" | "baseUrl">): ProviderType {
  return provider === "compatible" ? (presetOf(baseUrl ?? "") ?? provider) : provider;
}

/** The address is taken along, unless it is another service's. */
export function withType({ baseUrl }: ProviderForm, type: ProviderType): Partial<ProviderForm> {
  const known = presetOf(baseUrl);
  if (isPreset(type))
    return { type, ...(known !== type && { baseUrl: presetFacts(type).baseUrl }) };
  return { type, ...(known !== null && { baseUrl: "" }) };
}

/** A known address chooses its type. */
export function withAddress({ type }: ProviderForm, baseUrl: string): Partial<ProviderForm> {
  const known = kindOf(type) === "compatible" ? presetOf(baseUrl) : null;
  return { baseUrl, ...(known && { type: known }) };
}

function kindOf(type: ProviderType): ProviderKind {
  return isPreset(type) ? "compatible" : type;
}

export function formOf(provider: ProviderSettingWire | null): ProviderForm {
  return {
    type: provider ? typeOf(provider) : "openai",
    name: provider?.name ?? "",
    baseUrl: provider?.baseUrl ?? "",
    apiKey: "",
  };
}

/** A stored key is never sent to another address, so saving drops it. */
export function losesKey(form: ProviderForm, stored: ProviderSettingWire | null): boolean {
  if (!stored?.keyHint || form.apiKey.trim() !== "") return false;
  return form.baseUrl.trim() !== (stored.baseUrl ?? "") || kindOf(form.type) !== stored.provider;
}

export function providerSchema(stored: ProviderSettingWire | null): FormSchema<ProviderForm> {
  return {
    baseUrl: ({ type, baseUrl }) => {
      const url = baseUrl.trim();
      if (url === "") return isHosted(type) ? null : "Enter the server's URL.";
      const { misread = null } = isPreset(type) ? presetFacts(type) : {};
      if (misread?.address.test(url)) return misread.sentence;
      return isWebAddress(url) ? null : "Enter a URL that starts with http:// or https://.";
    },
    apiKey: (form) => {
      const isStored = Boolean(stored?.keyHint) && !losesKey(form, stored);
      const hasKey = form.apiKey.trim() !== "" || isStored;
      return hasKey || !needsKey(form.type, stored) ? null : "Enter a key.";
    },
  };
}

function isHosted(type: ProviderType): boolean {
  return typeFacts(type).hostedUrl !== null;
}

/** A stored server without a key may have one in the environment. */
export function needsKey(type: ProviderType, stored: ProviderSettingWire | null): boolean {
  return isHosted(type) || (stored === null && typeFacts(type).keysUrl !== null);
}

export function defaultName(
  type: ProviderType,
  others: readonly Pick<ProviderSettingWire, "provider" | "name">[],
): string {
  const kind = kindOf(type);
  const taken = new Set(
    others.filter(({ provider }) => provider === kind).map(({ name }) => name.toLowerCase()),
  );
  const { label } = typeFacts(type);
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
    provider: kindOf(form.type),
    name: name === "" ? nameIfEmpty : name,
    baseUrl: baseUrl === "" ? null : baseUrl,
    ...(apiKey === "" ? {} : { apiKey }),
  };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
