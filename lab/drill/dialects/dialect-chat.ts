import type { Sql } from "grove-session/postgres";
import { type Answering, sendMessage } from "@/lib/chat/answering/send-message";
import { featureOverrides } from "@/lib/chat/settings/model-features";
import { type ChatProcess, chatProcess, newOwner } from "@/lib/chat/testing/chat-fixture";
import { type GroveMessage, type SendRequest, sendRequest } from "@/lib/chat/wire/messages";
import { demoSource } from "@/lib/demo/demo-model";
import { createModelRegistry, type ResolvedModel } from "@/lib/llm";
import { modelLimits } from "@/lib/llm/model-limits";
import type { OwnerServices } from "@/lib/server/owner-services";
import type { Dialect } from "./dialect";
import type { ServedCase } from "./dialect-server";

const limits = { ...modelLimits({}), firstByteMs: 20_000, nextByteMs: 20_000, retryPauseMs: 5 };

/** Models that reason, so that thoughts are sent back. */
const modelIds = {
  openai: "gpt-5",
  anthropic: "claude-sonnet-5-5",
  google: "gemini-4-hydrogen",
  compatible: "m",
  local: "m",
};

export class DialectChat {
  readonly owner: OwnerServices;
  readonly process: ChatProcess = chatProcess();
  readonly sessionId = crypto.randomUUID();
  readonly #dialect: Dialect;
  readonly #served: ServedCase;
  readonly #noted: Promise<void>[] = [];

  constructor(sql: Sql, dialect: Dialect, served: ServedCase) {
    const owner = newOwner(sql);
    this.owner = {
      ...owner,
      noteRefusal: (ref, refusal) => {
        const noted = owner.noteRefusal(ref, refusal);
        this.#noted.push(noted);
        return noted;
      },
    };
    this.#dialect = dialect;
    this.#served = served;
  }

  get answering(): Answering {
    const { owner, process } = this;
    return { owner, runner: process.runner, chooseModel: () => this.model() };
  }

  async model(): Promise<ResolvedModel> {
    const { kind: provider, api } = this.#dialect.wire.provider;
    if (provider === "local") throw new Error("A local server is no provider of the settings.");
    const { baseUrl } = this.#served;
    const registry = createModelRegistry({
      environment: { GROVE_DISCOVER_LOCAL: "0" },
      settings: {
        providers: [
          {
            provider,
            name: "test",
            baseUrl,
            apiKey: "sk-drill-1234567890",
            api,
            models: [modelIds[provider]],
          },
        ],
        overrides: Object.fromEntries(featureOverrides(await this.owner.settings.read())),
      },
      fallback: demoSource({}),
      limits,
    });
    const [info] = (await registry.listModels()).filter(({ isDemo }) => !isDemo);
    return registry.resolve(info?.ref ?? "");
  }

  /** Sends a text without waiting for its answer. @returns the runs. */
  async send(text: string, request: Partial<SendRequest> = {}): Promise<string[]> {
    const { run, others = [] } = await sendMessage(
      this.answering,
      this.sessionId,
      sendRequest.parse({
        id: crypto.randomUUID(),
        parts: [{ type: "text", text }],
        newSession: { title: "A chat" },
        ...request,
      }),
    );
    return [run, ...others].flatMap((each) => each?.id ?? []);
  }

  /** Sends a text and waits for its answers, of which the first is returned. */
  async ask(text: string, request: Partial<SendRequest> = {}): Promise<GroveMessage | null> {
    const runs = await this.send(text, request);
    await Promise.all(runs.map((run) => this.process.ended(run)));
    // A person does not ask again within a millisecond.
    await Promise.all(this.#noted);
    return this.message(runs[0] ?? "");
  }

  async readsWords(runId: string): Promise<void> {
    const { signal } = new AbortController();
    const chunks = this.process.runner.follow(this.owner, { runId, after: 0, signal });
    for await (const { type } of chunks) if (type === "text-delta") return;
  }

  async message(id: string): Promise<GroveMessage | null> {
    const messages = this.owner.store.messages(this.sessionId);
    return (await messages.getMessage(id)) as unknown as GroveMessage | null;
  }
}
