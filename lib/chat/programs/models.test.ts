import { expect, test } from "vitest";
import type { StoredKey } from "@/lib/chat/core/key-store";
import type { ModelRegistry, ResolvedModel } from "@/lib/llm";

import { listModels, modelNamed } from "./models";

const refs = ["openai/gpt-4o", "azure/gpt-4o", "openai/gpt-4o-mini", "hub/org/tiny"];

const registry = {
  listModels: async () => refs.map((ref) => ({ ref, provider: ref.split("/")[0] })),
  resolve: async (ref: string) => {
    if (!refs.includes(ref)) throw new Error(`No model is called ${ref}.`);
    return { info: { ref } } as ResolvedModel;
  },
} as unknown as ModelRegistry;

const keyFor = (models: readonly string[] | null, aliases: Record<string, string> = {}) => ({
  key: {
    scopes: { canWrite: true, usesMemory: false, models, aliases, monthlyLimit: null },
  } as never,
});

const named = async (name: string, models: readonly string[] | null = null) =>
  (await modelNamed(keyFor(models) as { key: StoredKey }, registry, name)).info.ref;

test("a model is found by its name here, or by that of its provider alone", async () => {
  expect(await named("openai/gpt-4o")).toBe("openai/gpt-4o");
  expect(await named("gpt-4o-mini")).toBe("openai/gpt-4o-mini");
  expect(await named("org/tiny")).toBe("hub/org/tiny");
});

test("a name of several models is one of those that the key may use, or refused with their names", async () => {
  expect(await named("gpt-4o", ["azure/gpt-4o"])).toBe("azure/gpt-4o");
  await expect(named("gpt-4o")).rejects.toMatchObject({
    status: 404,
    code: "model_not_found",
    message: "Several models are called “gpt-4o”: openai/gpt-4o, azure/gpt-4o.",
  });
});

test("an unknown name is refused as the registry refuses it", async () => {
  await expect(named("gpt-9")).rejects.toThrow("No model is called gpt-9.");
});

test("a key's own name for a model comes first, and is listed with the models", async () => {
  const caller = keyFor(null, { "gpt-4o": "hub/org/tiny", "openai/gpt-4o": "azure/gpt-4o" });
  expect((await modelNamed(caller, registry, "gpt-4o")).info.ref).toBe("hub/org/tiny");
  expect((await modelNamed(caller, registry, "openai/gpt-4o")).info.ref).toBe("azure/gpt-4o");
  const listed = await listModels(caller, registry);
  expect(listed.map(({ id }) => id)).toEqual(["gpt-4o", "openai/gpt-4o", ...refs]);
  expect(listed[0]).toMatchObject({ owned_by: "hub" });
});

test("a name for a model that the key may not use is not listed", async () => {
  const caller = keyFor(["openai/gpt-4o"], { best: "azure/gpt-4o" });
  expect((await listModels(caller, registry)).map(({ id }) => id)).toEqual(["openai/gpt-4o"]);
});

test("no name is found in what every object has", async () => {
  await expect(named("constructor")).rejects.toThrow("No model is called constructor.");
});
