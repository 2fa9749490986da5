import { z } from "zod";
import { ensureBuild } from "@/lib/commands/ensure-build";
import {
  callApi,
  chunksOf,
  eventsOf,
  residentMemoryOf,
  startGrove,
  withTemporaryFolder,
} from "@/lib/commands/testing/grove-process";
import {
  type AppMeasure,
  type Arrival,
  addedPerWord,
  environmentOf,
  type Spread,
  spread,
  timedWord,
} from "./answers-bench";
import { offerModel } from "./app-bench";
import { type ModelServer, startModelServer } from "./model-server";

export interface RunsFigures {
  together: StreamsFigures;
}

/** Of `/v1`. */
export interface ProgramsFigures {
  streams: StreamsFigures;
  /** To the first text, in milliseconds, minus the model's own time. */
  firstText: { app: Spread; program: Spread };
  /** Listing a conversation of 1,000 items, 100 a page, in milliseconds. */
  listing: Spread;
}

/** Answers written at the same time. */
interface StreamsFigures {
  streams: number;
  /** From leaving the model to the reader, in milliseconds. */
  addedPerChunk: Spread;
  /** Of the same reader straight from the model meanwhile: what reader and model cost each other. */
  floor: Spread;
  /** Streams that lack a word or their end. */
  cut: number;
  /** Of the server, the highest, in megabytes. */
  residentMemory: number;
}

const pace = { words: 150, pauseMs: 40 };
/** Starts them apart, as people do. */
const startedEachMs = 20;

/** Answers of the app at the same time. */
export function runsBench(options: AppMeasure): Promise<RunsFigures> {
  return onBuiltApp(options, async (asking, measure) => {
    options.say("Writing 50 answers at once.");
    return { together: await measureStreams(measure, 50, () => askApp(asking)) };
  });
}

/** The API of programs, beside the app's own. */
export function programsBench(options: AppMeasure): Promise<ProgramsFigures> {
  const { say } = options;
  return onBuiltApp(options, async (asking, measure) => {
    say("Asking the app and the API by turns.");
    const firstText = await measureFirstText(asking, options);
    say("Writing 100 answers of the API at once.");
    const streams = await measureStreams(measure, 100, () => askApi(asking));
    say("Listing 1,000 items of a conversation.");
    return { firstText, streams, listing: await measureListing(asking, options) };
  });
}

interface StreamsMeasure {
  pid: number;
  model: ModelServer;
}

/** Model and readers share its processors. */
async function onBuiltApp<Figures>(
  { projectDir, signal, say }: AppMeasure,
  measure: (asking: Asking, streams: StreamsMeasure) => Promise<Figures>,
): Promise<Figures> {
  await ensureBuild({ projectDir, environment: process.env, signal, say });
  const model = await startModelServer();
  try {
    return await withTemporaryFolder(async (dataDir) => {
      const environment = { ...environmentOf(model), GROVE_MAX_RUNNING_ANSWERS: "200" };
      const grove = await startGrove({ dataDir, environment });
      try {
        const { address, pid } = grove;
        const ref = await offerModel(address, model.modelId);
        const asking: Asking = { address, model, ref, secret: await keyFor(address) };
        return await measure(asking, { pid, model });
      } finally {
        await grove.stop();
      }
    });
  } finally {
    await model.close();
  }
}

interface Asking {
  address: string;
  model: ModelServer;
  ref: string;
  secret: string;
}

async function keyFor(address: string): Promise<string> {
  const body = {
    name: "Bench",
    canWrite: true,
    usesMemory: false,
    models: null,
    monthlyLimit: null,
  };
  const answer = z.object({ secret: z.string() });
  return (await callApi(`${address}/api/keys`, { method: "POST", body, answer })).secret;
}

/** Texts as they arrived, and whether the end did. */
interface Arrivals {
  texts: Arrival[];
  hasEnded: boolean;
}

async function askApp({ address, ref }: Asking): Promise<Arrivals> {
  const api = `${address}/api/sessions/${crypto.randomUUID()}`;
  const answerId = crypto.randomUUID();
  const parts = [{ type: "text", text: "Go on." }];
  const body = { id: crypto.randomUUID(), parts, model: ref, answerId, newSession: {} };
  await callApi(`${api}/messages`, { method: "POST", body, answer: z.unknown() });
  const arrivals: Arrivals = { texts: [], hasEnded: false };
  for await (const { type, delta = "" } of chunksOf(`${api}/runs/${answerId}/stream?after=0`)) {
    if (type === "text-delta") arrivals.texts.push({ text: delta, at: performance.now() });
    if (type === "finish") arrivals.hasEnded = true;
  }
  return arrivals;
}

async function askApi({ address, ref, secret }: Asking): Promise<Arrivals> {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: ref, input: "Go on.", stream: true }),
  };
  const arrivals: Arrivals = { texts: [], hasEnded: false };
  for await (const { type, delta = "" } of chunksOf(`${address}/v1/responses`, request)) {
    if (type === "response.output_text.delta")
      arrivals.texts.push({ text: delta, at: performance.now() });
    if (type === "response.completed") arrivals.hasEnded = true;
  }
  return arrivals;
}

const modelChunk = z.object({
  choices: z.tuple([z.object({ delta: z.object({ content: z.string().optional() }) })]),
});

async function askModel({ baseUrl }: ModelServer): Promise<Arrivals> {
  const request = { method: "POST", body: JSON.stringify({ stream: true }) };
  const arrivals: Arrivals = { texts: [], hasEnded: false };
  for await (const json of eventsOf(`${baseUrl}/chat/completions`, request)) {
    const [{ delta }] = modelChunk.parse(json).choices;
    if (delta.content === undefined) arrivals.hasEnded = true;
    else arrivals.texts.push({ text: delta.content, at: performance.now() });
  }
  return arrivals;
}

async function measureFirstText(
  asking: Asking,
  { rounds, signal }: AppMeasure,
): Promise<ProgramsFigures["firstText"]> {
  const { model } = asking;
  model.pace = { words: 5, pauseMs: 2 };
  const times = { app: [] as number[], program: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const [name, ask] of [
      ["app", askApp],
      ["program", askApi],
    ] as const) {
      signal.throwIfAborted();
      const startedAt = performance.now();
      const { texts } = await ask(asking);
      const { askedAt, wroteAt } = model.last;
      const modelsOwn = (wroteAt[0] ?? 0) - askedAt;
      if (round > 0) times[name].push((texts[0]?.at ?? Number.NaN) - startedAt - modelsOwn);
    }
  }
  return { app: spread(times.app), program: spread(times.program) };
}

const listed = 1_000;
/** The most that one request adds. */
const addedAtOnce = 20;
const pageSchema = z.object({ has_more: z.boolean(), last_id: z.string().nullable() });

async function measureListing(
  { address, secret }: Asking,
  { rounds, signal }: AppMeasure,
): Promise<Spread> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${secret}` };
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${address}/v1${path}`, init);
    if (!response.ok) throw new Error(`POST ${path} answers with ${response.status}.`);
    return response.json();
  };
  const { id } = z.object({ id: z.string() }).parse(await post("/conversations", {}));
  const item = (n: number) => ({
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: `Item ${n}` }],
  });
  for (let n = 0; n < listed; n += addedAtOnce) {
    const items = Array.from({ length: addedAtOnce }, (_, k) => item(n + k));
    await post(`/conversations/${id}/items`, { items });
  }
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    let after: string | null = null;
    do {
      const query = new URLSearchParams({ limit: "100", order: "asc", ...(after && { after }) });
      const response = await fetch(`${address}/v1/conversations/${id}/items?${query}`, { headers });
      const page = pageSchema.parse(await response.json());
      after = page.has_more ? page.last_id : null;
    } while (after !== null);
    times.push(performance.now() - startedAt);
  }
  return spread(times);
}

async function measureStreams(
  { pid, model }: StreamsMeasure,
  streams: number,
  ask: () => Promise<Arrivals>,
): Promise<StreamsFigures> {
  model.pace = { ...pace, word: timedWord };
  let residentMemory = 0;
  const watching = setInterval(async () => {
    residentMemory = Math.max(residentMemory, await residentMemoryOf(pid));
  }, 500);
  const start = (count: number, each: () => Promise<Arrivals>) =>
    Promise.all(
      Array.from({ length: count }, async (_, n) => {
        await new Promise((begin) => setTimeout(begin, (n * startedEachMs * streams) / count));
        return each();
      }),
    );
  const [all, straight] = await Promise.all([
    start(streams, ask),
    start(streams / 10, () => askModel(model)),
  ]);
  clearInterval(watching);
  const wordsOf = ({ texts }: Arrivals) => texts.flatMap(addedPerWord);
  const isCut = (each: Arrivals) => !each.hasEnded || wordsOf(each).length !== pace.words;
  return {
    streams,
    addedPerChunk: spread(all.flatMap(wordsOf)),
    floor: spread(straight.flatMap(wordsOf)),
    cut: all.filter(isCut).length,
    residentMemory,
  };
}
