import { afterEach, beforeEach, expect, test } from "vitest";
import { localPersonId } from "@/lib/chat/core/person-in-space";
import type { SettingsOwner } from "@/lib/chat/core/settings-store";
import { publicFetch } from "@/lib/chat/web/public-fetch";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry } from "@/lib/llm";
import { type OllamaStandIn, pulledLines, startOllama } from "@/lib/llm/testing/ollama-server";
import { ollamaServer, ollamaView, pulled } from "./pulls";

let ollama: OllamaStandIn;
beforeEach(async () => {
  ollama = await startOllama(({ send }) => send(...pulledLines));
});
afterEach(() => ollama.close());

const owner = { personId: localPersonId } as SettingsOwner;

/** One Ollama of the operator's, and one that the person has added. */
function models(ownFetch: typeof fetch = fetch) {
  const { baseUrl } = ollama;
  const registry = createModelRegistry({
    environment: {
      GROVE_DISCOVER_LOCAL: "0",
      OPENAI_COMPATIBLE_NAME: "Operator",
      OPENAI_COMPATIBLE_BASE_URL: baseUrl,
    },
    settings: { providers: [{ provider: "compatible", name: "Own", baseUrl }], overrides: {} },
    ownFetch,
    fallback: demoSource({}),
  });
  return { registry: async () => registry };
}

const own = { provider: "compatible:own", label: "Own" };
const operators = { provider: "compatible:operator", label: "Operator" };

test("a member pulls into servers of their own alone, an administrator into all", async () => {
  expect(await ollamaView(models(), { owner, isMember: false })).toEqual({
    servers: [own, operators],
  });
  expect(await ollamaView(models(), { owner, isMember: true })).toEqual({ servers: [own] });
  const { provider } = operators;
  await expect(ollamaServer(models(), { owner, isMember: true, provider })).rejects.toMatchObject({
    code: "provider-not-found",
  });
  expect(ollama.pulls).toEqual([]);
});

test("a member who may reach public addresses alone finds no server in this network", async () => {
  const guarded = models(publicFetch());
  expect(await ollamaView(guarded, { owner, isMember: true })).toEqual({ servers: [] });
});

test("the list of models is read again once the model is there", async () => {
  const server = await ollamaServer(models(), { owner, isMember: false, ...own });
  const steps: string[] = [];
  const { signal } = new AbortController();
  const onDone = async () => void steps.push("read again");
  for await (const [event] of pulled(server, { model: "llama3.2", signal, onDone }))
    steps.push(event?.kind ?? "");
  expect(steps.slice(-3)).toEqual(["progress", "read again", "done"]);
});
