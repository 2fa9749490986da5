import { z } from "zod";
import { checkedFetch, type Fetch } from "./checked-fetch";
import { redactSecrets } from "./describe-model-error";
import { fetchJson, refuseRedirects } from "./fetch-json";
import { knowSecret } from "./known-secrets";
import { nativeAddress } from "./local-facts";
import type { ModelProvider } from "./model-provider";
import { ProviderFaultError } from "./provider-fault";
import { EventLines } from "./reading/event-lines";

export interface OllamaServer {
  readonly provider: ModelProvider;
  readonly fetch: Fetch;
}

/** Bytes of all layers that are known so far. */
export type PullEvent =
  | {
      readonly kind: "progress";
      readonly status: string;
      readonly completed: number;
      readonly total: number;
    }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

const versionSchema = z.object({ version: z.string() });
const probeMs = 1_500;

/** `false` also for a server that does not answer. */
export async function isOllama({ provider, fetch }: OllamaServer): Promise<boolean> {
  const asking = { fetch, timeoutMs: probeMs, headers: headersOf(provider) };
  return fetchJson(`${nativeAddress(provider.baseUrl)}/api/version`, versionSchema, asking).then(
    () => true,
    () => false,
  );
}

// Ollama is silent while it checks a large layer, and Node's `fetch` waits 300 seconds at most.
const limits = { firstByteMs: 60_000, nextByteMs: 290_000, maxBytes: 256 * 2 ** 20 };

/** Aborting ends the pull; Ollama keeps what it has. @see https://docs.ollama.com/api/pull */
export async function* pullModel(
  { provider, fetch }: OllamaServer,
  { model, signal }: { readonly model: string; readonly signal: AbortSignal },
): AsyncGenerator<PullEvent, void> {
  let hasBegun = false;
  try {
    const response = await checkedFetch(refuseRedirects(fetch), limits)(
      `${nativeAddress(provider.baseUrl)}/api/pull`,
      {
        method: "POST",
        headers: { "content-type": "application/json", ...headersOf(provider) },
        body: JSON.stringify({ model, stream: true }),
        signal,
      },
    );
    hasBegun = true;
    if (response.ok) yield* progressIn(response, provider);
    else yield failed(refusalOf(response.status, await response.text(), provider));
  } catch (error) {
    if (!signal.aborted) yield failed(faultSentence(error, { provider, hasBegun }));
  }
}

function headersOf({ apiKey }: ModelProvider): Record<string, string> {
  knowSecret(apiKey);
  return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
}

const bytes = z.number().nonnegative().optional().catch(undefined);
const words = z.string().optional().catch(undefined);
const lineSchema = z.object({
  status: words,
  error: words,
  digest: words,
  total: bytes,
  completed: bytes,
});

async function* progressIn(
  response: Response,
  { label }: ModelProvider,
): AsyncGenerator<PullEvent, void> {
  const layers = new Map<string, { readonly total: number; readonly completed: number }>();
  let shown = "";
  for await (const { status = "", error, digest, total, completed = 0 } of linesIn(response)) {
    if (error !== undefined) return yield failed(refusal(error));
    if (status === "success") return yield { kind: "done" };
    if (digest && total) layers.set(digest, { total, completed: Math.min(completed, total) });
    const event = progressOf(status.slice(0, longestWords), [...layers.values()]);
    // Ollama sends the bytes of each layer 16 times a second.
    const thousandths = Math.floor((1_000 * event.completed) / event.total);
    const step = `${event.status} ${event.total} ${thousandths}`;
    if (step === shown) continue;
    shown = step;
    yield event;
  }
  yield failed(`${label} ended the pull before the model was complete. ${again}`);
}

function progressOf(
  status: string,
  layers: readonly { readonly total: number; readonly completed: number }[],
) {
  const sum = (of: "total" | "completed") => layers.reduce((all, layer) => all + layer[of], 0);
  return { kind: "progress", status, completed: sum("completed"), total: sum("total") } as const;
}

async function* linesIn({ body }: Response): AsyncGenerator<z.output<typeof lineSchema>, void> {
  const lines = new EventLines(parsed);
  const decoder = new TextDecoder();
  const taken = () => lines.taken().flatMap((each) => ("value" in each ? each.value : []));
  for await (const chunk of body ?? []) {
    lines.feed(decoder.decode(chunk, { stream: true }));
    for (const value of taken()) yield lineSchema.parse(value);
  }
  lines.end();
  for (const value of taken()) yield lineSchema.parse(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failed(message: string): PullEvent {
  return { kind: "failed", message };
}

const again = "Pull again to go on: what is loaded is kept.";
const longestWords = 300;

const advice: readonly (readonly [RegExp, string])[] = [
  [/file does not exist|not found|invalid model name/i, "Check the name at ollama.com/library."],
  [/newer version/i, "Update Ollama on that machine."],
  [/no space left/i, "Free space on that machine's disk."],
  [/unauthorized|forbidden|access denied/i, "Check the key of this provider."],
  [/no such host|dial tcp|i\/o timeout|max retries/i, `Check that machine's internet. ${again}`],
];

function refusal(said: string): string {
  const told = redactSecrets(said).replace(/\s+/g, " ").trim().slice(0, longestWords);
  const [, next] = advice.find(([pattern]) => pattern.test(said)) ?? [null, again];
  return `Ollama says: “${told.toWellFormed()}”. ${next}`;
}

function refusalOf(status: number, text: string, { label }: ModelProvider): string {
  const { data } = lineSchema.safeParse(parsed(text));
  if (data?.error) return refusal(data.error);
  if (status === 404) return `${label} cannot pull models. Its base URL must be Ollama's.`;
  return refusal(status === 401 || status === 403 ? "unauthorized" : `status ${status}`);
}

function faultSentence(
  error: unknown,
  { provider: { label }, hasBegun }: { provider: ModelProvider; hasBegun: boolean },
): string {
  // Routes are bundled separately, each with its own classes.
  if (error instanceof Error && error.name === "ModelUnavailableError") return error.message;
  if (ProviderFaultError.isInstance(error) && error.fault.endsWith("silent"))
    return `${label} sent nothing for minutes. ${again}`;
  if (hasBegun) return `The connection to ${label} broke off. ${again}`;
  return `Can't reach ${label}. Is it running?`;
}
