import type { ProviderSettingWire } from "@/lib/chat/wire/settings";

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
