import { z } from "zod";
import {
  callApi,
  chunksOf,
  eventsOf,
  residentMemoryOf,
} from "@/lib/commands/testing/grove-process";
import {
  type AppMeasure,
  type Arrival,
  addedPerWord,
  type Spread,
  sentByPage,
  spread,
  timedWord,
} from "./answers-bench";
import { type BenchApp, onBenchApp } from "./bench-app";
import type { ModelServer } from "./model-server";

export type RunsFigures = Awaited<ReturnType<typeof runsBench>>;
export type ProgramsFigures = Awaited<ReturnType<typeof programsBench>>;

const pace = { words: 150, pauseMs: 40 };
const startedEachMs = 20;

/** Model and readers share its processors. */
export async function runsBench(options: AppMeasure) {
  return onBenchApp(options, given, async (app) => {
    options.say("Writing 50 answers at once.");
    return { together: await measureStreams(app, 50, () => askApp(app)) };
  });
}

export async function programsBench(options: AppMeasure) {
  const { say } = options;
  return onBenchApp(options, given, async (app) => {
    const asking: Asking = { ...app, secret: await keyFor(app.grove.address) };
    say("Asking the app and the API by turns.");
    const firstText = await measureFirstText(asking, options);
    say("Writing 100 answers of the API at once.");
    const streams = await measureStreams(app, 100, () => askApi(asking));
    say("Asking the app alone and beside 8 answers of a program by turns.");
    const beside = await measureBeside(asking, options);
    say("Listing 1,000 items of a conversation.");
    return { firstText, streams, beside, listing: await measureListing(asking, options) };
  });
}

const given = {
  seed: async () => undefined,
  environment: { GROVE_MAX_RUNNING_ANSWERS: "200" },
};

interface Asking extends BenchApp {
  readonly secret: string;
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

interface Arrivals {
  texts: Arrival[];
  hasEnded: boolean;
}

async function askApp({ grove, ref }: BenchApp): Promise<Arrivals> {
  const api = `${grove.address}/api/sessions/${crypto.randomUUID()}`;
  const answerId = crypto.randomUUID();
  const parts = [{ type: "text", text: "Go on." }];
  const body = { id: crypto.randomUUID(), parts, model: ref, answerId, newSession: {} };
  const arrivals: Arrivals = { texts: [], hasEnded: false };
  for await (const { type, delta = "" } of chunksOf(`${api}/messages`, sentByPage(body))) {
    if (type === "text-delta") arrivals.texts.push({ text: delta, at: performance.now() });
    if (type === "finish") arrivals.hasEnded = true;
  }
  return arrivals;
}

async function askApi({ grove, ref, secret }: Asking, onFirstText?: () => void): Promise<Arrivals> {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${secret}` },
    body: JSON.stringify({ model: ref, input: "Go on.", stream: true }),
  };
  const arrivals: Arrivals = { texts: [], hasEnded: false };
  for await (const { type, delta = "" } of chunksOf(`${grove.address}/v1/responses`, request)) {
    if (type === "response.output_text.delta") {
      if (arrivals.texts.length === 0) onFirstText?.();
      arrivals.texts.push({ text: delta, at: performance.now() });
    }
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

async function measureFirstText(asking: Asking, { rounds, signal }: AppMeasure) {
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

const programAnswers = 8;

/** The person's own first text, alone and while a program's answers are written, as many as a key may have. */
async function measureBeside(asking: Asking, { rounds, signal }: AppMeasure) {
  const { model } = asking;
  const times = { alone: [] as number[], beside: [] as number[] };
  const askedOnce = async () => {
    const startedAt = performance.now();
    const { texts } = await askApp(asking);
    return (texts[0]?.at ?? Number.NaN) - startedAt;
  };
  model.pace = { words: 50, pauseMs: 40 };
  for (let round = 0; round <= rounds; round++) {
    signal.throwIfAborted();
    const alone = await askedOnce();
    const answers = Array.from({ length: programAnswers }, () => {
      const begun = Promise.withResolvers<void>();
      const ended = askApi(asking, begun.resolve);
      return { ended, begun: Promise.race([begun.promise, ended]) };
    });
    await Promise.all(answers.map(({ begun }) => begun));
    const beside = await askedOnce();
    await Promise.all(answers.map(({ ended }) => ended));
    if (round === 0) continue;
    times.alone.push(alone);
    times.beside.push(beside);
  }
  return { alone: spread(times.alone), beside: spread(times.beside) };
}

const listed = 1_000;
const addedAtOnce = 20;
const pageSchema = z.object({ has_more: z.boolean(), last_id: z.string().nullable() });

async function measureListing(
  { grove: { address }, secret }: Asking,
  { rounds, signal }: AppMeasure,
): Promise<{ readonly items: Spread; readonly floor: Spread }> {
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
  const conversation = `${address}/v1/conversations/${id}`;
  const times = { items: [] as number[], floor: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    signal.throwIfAborted();
    const startedAt = performance.now();
    let after: string | null = null;
    let requests = 0;
    do {
      requests++;
      const query = new URLSearchParams({ limit: "100", order: "asc", ...(after && { after }) });
      const response = await fetch(`${conversation}/items?${query}`, { headers });
      const page = pageSchema.parse(await response.json());
      after = page.has_more ? page.last_id : null;
    } while (after !== null);
    const listedAt = performance.now();
    times.items.push(listedAt - startedAt);
    for (let n = 0; n < requests; n++) await (await fetch(conversation, { headers })).json();
    times.floor.push(performance.now() - listedAt);
  }
  return { items: spread(times.items), floor: spread(times.floor) };
}

async function measureStreams(
  { grove, model }: BenchApp,
  streams: number,
  ask: () => Promise<Arrivals>,
) {
  model.pace = { ...pace, word: timedWord };
  let residentMemory = 0;
  const watching = setInterval(async () => {
    residentMemory = Math.max(residentMemory, await residentMemoryOf(grove.pid));
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
    /** The same reader straight from the model meanwhile: the cost of reader and model to each other. */
    floor: spread(straight.flatMap(wordsOf)),
    cut: all.filter(isCut).length,
    residentMemory,
  };
}
