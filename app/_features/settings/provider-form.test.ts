import { describe, expect, it } from "vitest";
import { errorsIn } from "@/app/_data/forms/use-form";
import type { ProviderSettingWire } from "@/lib/chat/wire/settings";
import { bodyOf, defaultName, formOf, losesKey, providerSchema } from "./provider-form";

const stored: ProviderSettingWire = {
  id: "p1",
  provider: "anthropic",
  name: "Work",
  baseUrl: null,
  keyHint: "7fa2",
  fromEnvironment: false,
};

const formErrors = (form: ReturnType<typeof formOf>, provider: ProviderSettingWire | null) =>
  errorsIn(providerSchema(provider), form);

describe("providerSchema", () => {
  it("asks for a key where the provider cannot do without", () => {
    expect(formErrors(formOf(null), null)).toEqual({ apiKey: "Enter a key." });
  });

  it("asks for the address of a compatible server, not for a key", () => {
    expect(formErrors({ ...formOf(null), kind: "compatible" }, null)).toEqual({
      baseUrl: "Enter the server's URL.",
    });
  });

  it("refuses addresses that are not of the web", () => {
    const form = { ...formOf(null), kind: "compatible" as const, baseUrl: "javascript:alert(1)" };
    expect(formErrors(form, null)).toEqual({
      baseUrl: "Enter a URL that starts with http:// or https://.",
    });
  });

  it("keeps the stored key when nothing else is said", () => {
    expect(formErrors(formOf(stored), stored)).toEqual({});
  });

  it("asks for the key again when the address changes", () => {
    const form = { ...formOf(stored), baseUrl: "https://proxy.example/v1" };
    expect(losesKey(form, stored)).toBe(true);
    expect(formErrors(form, stored)).toEqual({ apiKey: "Enter a key." });
  });
});

describe("bodyOf", () => {
  it("leaves out an empty key, so that the stored one stays", () => {
    expect(bodyOf(formOf(stored), "Anthropic")).toEqual({
      provider: "anthropic",
      name: "Work",
      baseUrl: null,
    });
  });

  it("takes the given name when none was entered", () => {
    expect(bodyOf({ ...formOf(null), apiKey: " sk-1 " }, "OpenAI")).toEqual({
      provider: "openai",
      name: "OpenAI",
      baseUrl: null,
      apiKey: "sk-1",
    });
  });
});

describe("defaultName", () => {
  it("is the kind's, numbered when that is taken", () => {
    const called = (name: string) => ({ provider: "openai" as const, name });
    expect(defaultName("openai", [])).toBe("OpenAI");
    expect(defaultName("anthropic", [called("Anthropic")])).toBe("Anthropic");
    expect(defaultName("openai", [called("openai"), called("Work")])).toBe("OpenAI 2");
    expect(defaultName("openai", [called("OpenAI"), called("OpenAI 2")])).toBe("OpenAI 3");
  });
});
