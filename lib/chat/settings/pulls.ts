import { ChatError } from "@/lib/chat/core/chat-error";
import type { SettingsOwner } from "@/lib/chat/core/settings-store";
import type { OllamaWire, PullWire } from "@/lib/chat/wire/settings";
import { type OllamaServer, pullModel } from "@/lib/llm";
import type { Models } from "./models";

type ModelsOf = Pick<Models, "registry">;

interface Puller {
  readonly owner: SettingsOwner;
  /** Members fill no disk of the operator's. */
  readonly isMember: boolean;
}

async function serversOf(models: ModelsOf, { owner, isMember }: Puller): Promise<OllamaServer[]> {
  const servers = await (await models.registry(owner)).ollamaServers();
  return servers.filter(({ provider }) => !isMember || provider.isOwn);
}

export async function ollamaView(models: ModelsOf, puller: Puller): Promise<OllamaWire> {
  const servers = await serversOf(models, puller);
  return { servers: servers.map(({ provider: { id, label } }) => ({ provider: id, label })) };
}

/** @throws {ChatError} `provider-not-found`. */
export async function ollamaServer(
  models: ModelsOf,
  { provider: id, ...puller }: Puller & { readonly provider: string },
): Promise<OllamaServer> {
  const found = (await serversOf(models, puller)).find(({ provider }) => provider.id === id);
  if (found) return found;
  throw new ChatError(
    "provider-not-found",
    "This Ollama server does not answer, or is not set up. Start it, then refresh.",
  );
}

export async function* pulled(
  server: OllamaServer,
  {
    model,
    signal,
    onDone,
  }: {
    readonly model: string;
    readonly signal: AbortSignal;
    readonly onDone: () => Promise<void>;
  },
): AsyncGenerator<readonly PullWire[], void> {
  for await (const event of pullModel(server, { model, signal })) {
    if (event.kind === "done") await onDone();
    yield [event];
  }
}
