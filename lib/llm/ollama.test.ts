import { afterEach, beforeEach, expect, test } from "vitest";
import { demoSource } from "@/lib/demo/demo-model";
import type { ModelProvider } from "./model-provider";
import { createModelRegistry } from "./model-registry";
import { type PullEvent, pullModel } from "./ollama";
import { listModels } from "./protocols";
import {
  type OllamaStandIn,
  type PullScript,
  pulledLines,
  startOllama,
} from "./testing/ollama-server";

let ollama: OllamaStandIn;
beforeEach(async () => {
  ollama = await startOllama(({ send }) => send(...pulledLines));
});
afterEach(() => ollama.close());

function provider(): ModelProvider {
  const { baseUrl } = ollama;
  const own = { id: "compatible:house", kind: "compatible", label: "House" } as const;
  return { ...own, baseUrl, apiKey: "key-of-the-proxy", api: "chat", models: null };
}

async function pulled(script?: PullScript, signal = new AbortController().signal) {
  if (script) ollama.pull = script;
  const events: PullEvent[] = [];
  for await (const event of pullModel(
    { provider: provider(), fetch },
    { model: "llama3.2", signal },
  ))
    events.push(event);
  return events;
}

const failure = async (script: PullScript) => {
  const last = (await pulled(script)).at(-1);
  return last?.kind === "failed" ? last.message : last;
};

test("sums the bytes of all layers, and ends when the model is there", async () => {
  const at = (status: string, completed: number, total: number) => {
    return { kind: "progress", status, completed, total };
  };
  expect(await pulled()).toEqual([
    at("pulling manifest", 0, 0),
    at("pulling dde5aa3fc5ff", 0, 2e9),
    at("pulling dde5aa3fc5ff", 5e8, 2e9),
    at("pulling 966de95ca8a6", 500_001_000, 2_000_001_000),
    at("verifying sha256 digest", 500_001_000, 2_000_001_000),
    at("writing manifest", 500_001_000, 2_000_001_000),
    { kind: "done" },
  ]);
  expect(ollama.pulls).toEqual([
    { body: { model: "llama3.2", stream: true }, authorization: "Bearer key-of-the-proxy" },
  ]);
});

test("shows each thousandth of a layer once, however often it is sent", {
  tags: "long",
}, async () => {
  const layer = (completed: number) => {
    return { status: "pulling a", digest: "a", total: 1_000_000, completed };
  };
  const events = await pulled(({ send }) => {
    for (let byte = 0; byte <= 1_000_000; byte += 500) send(layer(byte));
    send({ status: "success" });
  });
  expect(events).toHaveLength(1_002);
});

test("reads lines that are cut anywhere, blank, or no JSON", async () => {
  const text = pulledLines.map((line) => `${JSON.stringify(line)}\r\n\nnot json\n`).join("");
  const whole = await pulled();
  const parts = await pulled(async ({ response }) => {
    for (let at = 0; at < text.length; at += 7) {
      response.write(text.slice(at, at + 7));
      await new Promise(setImmediate);
    }
  });
  expect(parts).toEqual(whole);
});

test.each([
  ["pull model manifest: file does not exist", "Check the name at ollama.com/library."],
  ["pull model manifest: 412: requires a newer version of Ollama", "Update Ollama"],
  ["write /models/blobs/x: no space left on device", "Free space on that machine's disk."],
  ["dial tcp: lookup registry.ollama.ai: no such host", "Check that machine's internet."],
  ["something else", "Pull again to go on"],
])("tells an error in the stream in Ollama's words, and what to do: %s", async (error, advice) => {
  const sentence = await failure(({ send }) => send({ status: "pulling manifest" }, { error }));
  expect(sentence).toContain(`Ollama says: “${error}”. ${advice}`);
});

test("tells a refusal before the stream, without the key", async () => {
  const refused = (status: number, body: string) =>
    failure(({ response }) => {
      response.statusCode = status;
      response.write(body);
    });
  expect(await refused(400, '{"error":"invalid model name"}')).toContain("Check the name");
  expect(await refused(500, '{"error":"bad key-of-the-proxy"}')).toContain("bad [hidden]");
  expect(await refused(401, "no")).toContain("Check the key of this provider.");
  expect(await refused(404, "404 page not found")).toBe(
    "House cannot pull models. Its base URL must be Ollama's.",
  );
});

test("says so when the connection breaks off, or ends before the model is complete", async () => {
  const begun = pulledLines.slice(0, 2);
  const broken = await failure(async ({ response, send }) => {
    send(...begun);
    await new Promise((resolve) => response.write("\n", resolve));
    response.destroy();
  });
  expect(broken).toBe(
    "The connection to House broke off. Pull again to go on: what is loaded is kept.",
  );
  expect(await failure(({ send }) => send(...begun))).toContain("ended the pull before");
  await ollama.close();
  expect(await failure(() => undefined)).toBe("Can't reach House. Is it running?");
});

test("ends the request when it is cancelled, without an event", async () => {
  const cancelling = new AbortController();
  const left = Promise.withResolvers<void>();
  ollama.pull = async ({ send, gone }) => {
    send(pulledLines[0]);
    await gone;
    left.resolve();
  };
  const events: PullEvent[] = [];
  const { signal } = cancelling;
  for await (const event of pullModel({ provider: provider(), fetch }, { model: "m", signal })) {
    events.push(event);
    cancelling.abort();
  }
  await left.promise;
  expect(events.map(({ kind }) => kind)).toEqual(["progress"]);
});

test("ends the request when nobody reads on", async () => {
  const left = Promise.withResolvers<void>();
  ollama.pull = async ({ send, gone }) => {
    send(pulledLines[0]);
    await gone;
    left.resolve();
  };
  const { signal } = new AbortController();
  for await (const _ of pullModel({ provider: provider(), fetch }, { model: "m", signal })) break;
  await left.promise;
});

test("is found by its version, and lists no models before the first", async () => {
  const { port } = new URL(ollama.baseUrl);
  const found = async (environment: Record<string, string>) => {
    const stored = { provider: "compatible", name: "House", baseUrl: ollama.baseUrl };
    const registry = createModelRegistry({
      environment,
      settings: { providers: [stored], overrides: {} },
      fallback: demoSource({}),
    });
    return (await registry.ollamaServers()).map((server) => server.provider.id);
  };
  const here = { GROVE_LOCAL_PORTS: `ollama=${port},lm-studio=9,llama.cpp=9,vllm=9` };
  expect(await found(here)).toEqual(["local:ollama", "compatible:house"]);
  expect(await found({ GROVE_DISCOVER_LOCAL: "0" })).toEqual(["compatible:house"]);
  expect(await listModels(provider(), { fetch, timeoutMs: 5_000 })).toEqual({
    models: [],
    leftOut: 0,
  });
  await ollama.close();
  expect(await found({ GROVE_DISCOVER_LOCAL: "0" })).toEqual([]);
});
