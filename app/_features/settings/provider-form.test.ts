import { describe, expect, it } from "vitest";
import { errorsIn } from "@/app/_data/forms/use-form";
import type { ProviderSettingWire } from "@/lib/chat/wire/settings";
import {
  bodyOf,
  defaultName,
  formOf,
  losesKey,
  providerSchema,
  withAddress,
  withType,
} from "./provider-form";

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
    expect(formErrors({ ...formOf(null), type: "compatible" }, null)).toEqual({
      baseUrl: "Enter the server's URL.",
    });
  });

  it("refuses addresses that are not of the web", () => {
    const form = { ...formOf(null), type: "compatible" as const, baseUrl: "javascript:alert(1)" };
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

describe("a known service", () => {
  const blank = { ...formOf(null), type: "compatible" as const };
  const groq = { ...blank, type: "groq" as const, baseUrl: "https://api.groq.com/openai/v1" };

  it("brings its address, and is known by it", () => {
    expect(withType(blank, "groq")).toEqual({ type: "groq", baseUrl: groq.baseUrl });
    expect(withAddress(blank, "https://api.groq.com")).toMatchObject({ type: "groq" });
    expect(formOf({ ...stored, provider: "compatible", baseUrl: groq.baseUrl }).type).toBe("groq");
    expect(bodyOf({ ...groq, apiKey: "gsk" }, defaultName("groq", []))).toMatchObject({
      provider: "compatible",
      name: "Groq",
    });
  });

  it("keeps a custom address when the type changes, and drops that of another service", () => {
    const own = { ...blank, baseUrl: "http://house:9000/v1" };
    expect(withType(own, "compatible")).toEqual({ type: "compatible" });
    expect(withType(groq, "compatible")).toEqual({ type: "compatible", baseUrl: "" });
    expect(withType({ ...groq, baseUrl: "https://api.groq.com" }, "groq")).toEqual({
      type: "groq",
    });
    expect(withAddress({ ...formOf(null), type: "anthropic" }, groq.baseUrl)).toEqual({
      baseUrl: groq.baseUrl,
    });
  });

  it("asks for a key where the service makes them, and for Azure's address without its version", () => {
    expect(formErrors(groq, null)).toEqual({ apiKey: "Enter a key." });
    const azure = { ...blank, type: "azure" as const, apiKey: "k" };
    const old = "https://work.openai.azure.com/openai/deployments/gpt/chat?api-version=2024-10-21";
    for (const baseUrl of [old, "https://RESOURCE.openai.azure.com/openai/v1"])
      expect(formErrors({ ...azure, baseUrl }, null)).toEqual({
        baseUrl: expect.stringContaining("without deployment and api-version"),
      });
    expect(formErrors({ ...azure, baseUrl: "https://work.openai.azure.com" }, null)).toEqual({});
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
