import { describe, expect, test } from "vitest";
import { configuredProviders } from "./configured-providers";
import {
  environmentProviders,
  type ProviderSettings,
  providerSettingsSchema,
} from "./provider-settings";

function providersOf(stored: ProviderSettings[], environment: Record<string, string>) {
  return configuredProviders(stored, environmentProviders(environment).providers);
}

describe("providers from the environment", () => {
  test("are those whose key is set", () => {
    const found = providersOf([], {
      OPENAI_API_KEY: "sk-1",
      ANTHROPIC_API_KEY: " ",
      GOOGLE_X: "y",
    });
    expect(found).toEqual([
      {
        id: "openai",
        kind: "openai",
        label: "OpenAI",
        baseUrl: "https://api.openai.com/v1",
        apiKey: "sk-1",
        api: "responses",
        models: null,
      },
    ]);
  });

  test("take an OpenAI-compatible server without a key, named after its host or as told", () => {
    const plain = { OPENAI_COMPATIBLE_BASE_URL: "http://10.0.0.5:9000" };
    expect(providersOf([], plain)[0]).toMatchObject({
      id: "compatible:10.0.0.5-9000",
      baseUrl: "http://10.0.0.5:9000/v1",
      apiKey: null,
    });
    const named = { ...plain, OPENAI_COMPATIBLE_NAME: "Open Router" };
    expect(providersOf([], named)[0]).toMatchObject({
      id: "compatible:open-router",
      label: "Open Router",
    });
  });

  test("get the version path where an address names only a host, and keep a path that is there", () => {
    const address = (url: string) =>
      providersOf([], { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url })[0]?.baseUrl;
    expect(address("https://proxy.test/")).toBe("https://proxy.test/v1");
    expect(address("https://proxy.test/anthropic/")).toBe("https://proxy.test/anthropic");
  });

  test("report a value that cannot be used and leave the others alone", () => {
    const { providers, problems } = environmentProviders({
      OPENAI_API_KEY: "sk-1\nsk-2",
      ANTHROPIC_API_KEY: "a",
      ANTHROPIC_BASE_URL: "ftp://x",
      GOOGLE_GENERATIVE_AI_API_KEY: "g",
    });
    expect(providers.map(({ provider }) => provider)).toEqual(["google"]);
    expect(problems.map(({ provider }) => provider)).toEqual(["anthropic", "openai"]);
    expect(JSON.stringify(problems)).not.toContain("sk-1");
  });
});

describe("stored providers", () => {
  test("come first, and hide none of the environment that has their name", () => {
    const found = providersOf(
      [
        { provider: "google", apiKey: "stored" },
        { provider: "openai", name: "Work", ref: "openai", apiKey: "sk-work" },
        { provider: "compatible", name: "House", baseUrl: "https://one.test/v1" },
      ],
      {
        GOOGLE_GENERATIVE_AI_API_KEY: "environment",
        OPENAI_API_KEY: "sk-1",
        OPENAI_COMPATIBLE_BASE_URL: "https://two.test/v1",
        OPENAI_COMPATIBLE_NAME: "House",
      },
    );
    expect(found.map(({ id, label, apiKey }) => [id, label, apiKey])).toEqual([
      ["google", "Google", "stored"],
      ["openai", "Work", "sk-work"],
      ["compatible:house", "House", null],
      ["openai-2", "OpenAI (environment)", "sk-1"],
      ["google-2", "Google (environment)", "environment"],
      ["compatible:house-2", "House (environment)", null],
    ]);
  });

  test("use the environment's key at the environment's address", () => {
    const found = providersOf([{ provider: "openai", models: ["gpt-5"] }], {
      OPENAI_API_KEY: "sk-1",
      OPENAI_BASE_URL: "https://proxy.test/v1",
    });
    expect(found).toMatchObject([
      { id: "openai", baseUrl: "https://proxy.test/v1", apiKey: "sk-1", models: ["gpt-5"] },
    ]);
  });

  test("never send the environment's key to another address", () => {
    const found = providersOf([{ provider: "openai", baseUrl: "https://elsewhere.test/v1" }], {
      OPENAI_API_KEY: "sk-1",
    });
    expect(found).toMatchObject([{ id: "openai-2", baseUrl: "https://api.openai.com/v1" }]);
  });

  test("never send a stored key to the environment's address", () => {
    const found = providersOf([{ provider: "openai", apiKey: "sk-stored" }], {
      OPENAI_API_KEY: "sk-1",
      OPENAI_BASE_URL: "https://proxy.test/v1",
    });
    expect(found[0]).toMatchObject({ baseUrl: "https://api.openai.com/v1", apiKey: "sk-stored" });
  });

  test("are all there, each under its name", () => {
    const found = providersOf(
      [
        { provider: "openai", name: "OpenAI", apiKey: "first" },
        { provider: "openai", name: "My Work", apiKey: "second" },
        { provider: "anthropic", name: "仕事", apiKey: "third" },
      ],
      { OPENAI_API_KEY: "sk-1", ANTHROPIC_API_KEY: "sk-2" },
    );
    expect(found.map(({ id, kind, label, apiKey }) => [id, kind, label, apiKey])).toEqual([
      ["openai", "openai", "OpenAI", "first"],
      ["openai:my-work", "openai", "My Work", "second"],
      ["anthropic:仕事", "anthropic", "仕事", "third"],
      ["anthropic", "anthropic", "Anthropic", "sk-2"],
      ["openai-2", "openai", "OpenAI (environment)", "sk-1"],
    ]);
  });

  test("are told apart when they have one name", () => {
    const twice = (["compatible", "openai"] as const).flatMap((provider) =>
      ["first", "second", "third"].map((apiKey) => ({
        provider,
        name: "Same",
        baseUrl: "https://host.test/v1",
        apiKey,
      })),
    );
    expect(providersOf(twice, {}).map(({ id, apiKey }) => [id, apiKey])).toEqual([
      ["compatible:same", "first"],
      ["compatible:same-2", "second"],
      ["compatible:same-3", "third"],
      ["openai:same", "first"],
      ["openai:same-2", "second"],
      ["openai:same-3", "third"],
    ]);
  });

  test("with a name of their own use the environment's key too", () => {
    const found = providersOf([{ provider: "openai", name: "Work" }], { OPENAI_API_KEY: "sk-1" });
    expect(found[0]).toMatchObject({ id: "openai:work", label: "Work", apiKey: "sk-1" });
  });
});

test.each([
  { provider: "compatible" },
  { provider: "openai", apiKey: "two words" },
  { provider: "openai", apiKey: "line\nbreak" },
  { provider: "openai", apiKey: "schlüssel" },
  { provider: "openai", baseUrl: "file:///etc/passwd" },
  { provider: "openai", baseUrl: "https://user:secret@host.test" },
  { provider: "openai", baseUrl: "https://host.test/v1?key=1" },
  { provider: "mistral" },
])("settings refuse %j", (settings) => {
  expect(providerSettingsSchema.safeParse(settings).success).toBe(false);
});
