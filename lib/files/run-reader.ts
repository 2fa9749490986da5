import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { ContentPage } from "./content-page";
import { FairTurns } from "./fair-turns";

export type ReaderOutcome = { readonly pages: ContentPage[] } | ReaderProblem;

export interface ReaderProblem {
  readonly problem: string;
  /** The same file may be readable later. */
  readonly mayPass?: boolean;
}

const outcomeSchema = z.union([
  z.object({
    pages: z.array(z.object({ page: z.int().min(1), title: z.string(), text: z.string() })),
  }),
  z.object({ problem: z.string() }),
]);

interface ReaderLimits {
  readonly timeoutMs: number;
  readonly heapMegabytes: number;
}

const defaultLimits: ReaderLimits = { timeoutMs: 60_000, heapMegabytes: 512 };
/** One turn is always free for other people. */
const turns = new FairTurns({ atOnce: 2, mostOfOne: 1, halfLifeMs: 5 * 60_000 });
/** A person who sends failing documents waits for the others. */
const failureMs = 60_000;

interface ReadDocument {
  readonly path: string;
  readonly mediaType: string;
  readonly person: string;
}

/** A hostile document can only end its own process. */
export async function runReader(
  { path, mediaType, person }: ReadDocument,
  limits: ReaderLimits = defaultLimits,
): Promise<ReaderOutcome> {
  const outcome = await turns.run(person, () => readInProcess([path, mediaType], limits));
  if ("problem" in outcome && outcome.mayPass) turns.charge(person, failureMs);
  return outcome;
}

async function readInProcess(
  given: readonly string[],
  { timeoutMs, heapMegabytes }: ReaderLimits,
): Promise<ReaderOutcome> {
  const script = programArguments("lib/files/document-process");
  const flags = [`--max-old-space-size=${heapMegabytes}`, ...script];
  const child = spawn(process.execPath, [...flags, ...given], {
    // The environment holds keys, which the reader does not need.
    env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<NodeJS.Signals | null>((done, fail) => {
    child.once("error", fail).once("close", (_, signal) => done(signal));
  });
  const [said, signal] = await Promise.all([text(child.stdout), ended]);
  if (signal === "SIGKILL") return failed("Reading it took too long, so nothing of it is read.");
  const outcome = outcomeSchema.safeParse(parsed(said));
  return outcome.success
    ? outcome.data
    : failed("Its reader failed, perhaps for want of memory, so nothing of it is read.");
}

/** Packed or built, the program is compiled. */
export function programArguments(path: string): string[] {
  const source = join(/*turbopackIgnore: true*/ process.cwd(), path);
  const built = join(/*turbopackIgnore: true*/ process.cwd(), ".next/programs", `${path}.mjs`);
  // A build may be older than the sources.
  const compiled =
    process.env.NODE_ENV === "production" ? [`${source}.js`, built] : [`${source}.js`];
  const program = compiled.find((each) => existsSync(each));
  return program ? [program] : ["--import", "tsx", `${source}.ts`];
}

function failed(reason: string): ReaderProblem {
  return {
    problem: `${reason} Remove it and attach it again to have it read again.`,
    mayPass: true,
  };
}

function parsed(said: string): unknown {
  try {
    return JSON.parse(said);
  } catch {
    return null;
  }
}
