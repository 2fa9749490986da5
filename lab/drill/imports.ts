import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Sql } from "postgres";
import { Random } from "@/lab/bench/random";
import { ChatError } from "@/lib/chat/core/chat-error";
import { importEverything } from "@/lib/chat/data/portable-data";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import type { ImportReportWire } from "@/lib/chat/wire/data";
import { enclosingLines } from "@/lib/history/chat-records";
import { fullOwner } from "@/lib/postgres/portable/testing/full-owner";
import { HttpError } from "@/lib/server/http-error";
import type { OwnerServices } from "@/lib/server/owner-services";
import { uploadLines } from "@/lib/server/upload-lines";
import type { Drill, DrillOptions, DrillResult } from "./drill";
import { onDrillDatabase } from "./drill-database";
import { differences, exported } from "./exports";
import { mutated } from "./mutations";
import {
  differencesOf,
  fileNamed,
  lostWords,
  type Read,
  readAsPage,
  toldExport,
} from "./products/judge";
import { type Product, products } from "./products/product-table";
import { makeRandomAccount } from "./random-account";
import { reshaped } from "./reshaped";
import { runTrials } from "./trials";

const randomAccounts = 6;
const exportedAgainShare = 0.02;
/** After a collection: how much waits for one depends on the machine. */
const mostMegabytes = 500;
const collectedEach = 500;

export const mutatedImports: Drill = {
  name: "imports",
  promise:
    "Every import ends with a report or a sentence, and what it brings is whole, whatever the file holds.",
  unit: "files",
  fullCount: 100_000,
  run: (options) =>
    onDrillDatabase(({ patientSql: sql }) => importMutated(sql, options), { isDurable: false }),
};

export async function importMutated(
  sql: Sql,
  { seed, ...options }: DrillOptions,
): Promise<DrillResult> {
  const exports = await groveExports(sql);
  const figures = {
    refused: 0,
    "without problems": 0,
    "with problems": 0,
    sessions: 0,
    "exported again": 0,
  };
  const collect = collector();
  const memory = { kept: 0, resident: 0 };
  const { done, broken } = await runTrials(sql, options, {
    unit: "files",
    perBatch: 1_000,
    trial: async (number) => {
      const name = `seed ${seed + number}`;
      const random = new Random(seed + number);
      const owner = newOwner(sql, name);
      try {
        const { bytes, broken, isConverted, order } = await fileOf(exports, random);
        const report = await importEverything(owner, uploadLines(chunksOf(bytes)), () => true);
        figures[report.problemCount > 0 ? "with problems" : "without problems"]++;
        figures.sessions += report.sessions.imported;
        const problems = [...broken, ...sentenceProblems(report)];
        if (isConverted && report.problemCount > 0)
          problems.push(`A chat was converted and not taken: ${report.problems[0]?.message}`);
        if (isConverted) problems.push(...(await repeatedImport(owner, bytes)));
        const { sessions } = await owner.store.sessions.list({ limit: 10 });
        if (order && `${sessions.map(({ id }) => id)}` !== `${order}`)
          problems.push("The chats are not in the order in which they were changed.");
        if (random.next() < exportedAgainShare && isAnything(report)) {
          figures["exported again"]++;
          const copy = newOwner(sql, `copy of ${name}`);
          problems.push(...(await differences(sql, { owner, copy, lines: await exported(owner) })));
        }
        return problems.map((problem) => `${name}: ${problem}`);
      } catch (error) {
        if (!isRefusal(error)) return [`${name}: ${String((error as Error).stack ?? error)}`];
        figures.refused++;
        return isSentence(error.message) ? [] : [`${name}: “${error.message}” is no sentence.`];
      } finally {
        if (number % collectedEach === collectedEach - 1) {
          memory.resident = Math.max(memory.resident, process.memoryUsage.rss() / 1_000_000);
          collect();
          memory.kept = Math.max(memory.kept, process.memoryUsage().heapUsed / 1_000_000);
        }
      }
    },
  });
  if (memory.kept > mostMegabytes) broken.push(`It kept ${Math.round(memory.kept)} MB.`);
  const measured = { "memory kept (MB)": memory.kept, "memory taken (MB)": memory.resident };
  return { broken, figures: { files: done, ...figures, ...measured } };
}

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

interface Exports {
  readonly previous: string;
  readonly accounts: readonly [string, ...string[]];
  readonly chats: readonly [string, ...string[]];
}

async function groveExports(sql: Sql): Promise<Exports> {
  const previous = await readFile("lib/postgres/portable/testing/previous-version.jsonl", "utf8");
  const full = newOwner(sql, await fullOwner(sql));
  const chatOf = async ({ data }: OwnerServices, sessionId: string) =>
    (await Array.fromAsync(data.export({ sessionId }))).join("");
  const accounts: [string, ...string[]] = [(await exported(full)).join("")];
  const chats: [string, ...string[]] = [await chatOf(full, "tea")];
  for (let seed = 0; seed < randomAccounts; seed++) {
    const owner = newOwner(sql, `account ${seed}`);
    await makeRandomAccount(owner, new Random(seed));
    accounts.push((await exported(owner)).join(""));
    const { sessions } = await owner.store.sessions.list({ limit: 3 });
    for (const { id } of sessions) chats.push(await chatOf(owner, id));
  }
  return { previous, accounts, chats };
}

interface ImportFile {
  readonly bytes: Uint8Array;
  /** True for an export of another product. */
  readonly isConverted: boolean;
  /** A sentence for each word, branch and time that reading it lost. */
  readonly broken: readonly string[];
  /** Ids of its chats as the list has to show them; `null` where they are not known. */
  readonly order: readonly string[] | null;
}

async function fileOf({ previous, accounts, chats }: Exports, random: Random): Promise<ImportFile> {
  const kind = random.next();
  const exportsOf = kind < 0.01 ? ([previous] as const) : kind < 0.2 ? accounts : chats;
  if (kind < 0.5) {
    const bytes = mutated(random.of(exportsOf), random);
    return { bytes, isConverted: false, broken: [], order: null };
  }
  return productFile(products[random.below(products.length)] ?? products[0], random);
}

/** A third is as the product makes it, a third has values in forms that none makes, a third has damaged bytes. */
async function productFile(product: Product, random: Random): Promise<ImportFile> {
  const way = random.below(3);
  const told = toldExport(product, random, { isTakenWhole: way > 0 });
  const bytes = told.files.map(({ name, text }) => {
    if (way === 2) return mutated(text, random);
    const isReshaped = way === 1 && name.endsWith(".json");
    return new TextEncoder().encode(isReshaped ? reshaped(text, random) : text);
  });
  const files = told.files.map((file, at) => fileNamed(file, bytes[at] ?? new Uint8Array()));
  const read = await readAsPage(files);
  const lost = way === 0 ? differencesOf(told, read) : lostWords(told, bytes, read);
  return {
    bytes: convertedLines(read),
    isConverted: true,
    broken: (lost ?? []).map((each) => `${product.name}: ${each}`),
    order: way === 0 && !product.isSingle ? told.chats.map(({ id }) => id) : null,
  };
}

function convertedLines({ records }: Read): Uint8Array {
  const { header, end } = enclosingLines(records.length, new Date());
  const lines = records.flatMap((record) => record.lines);
  return new TextEncoder().encode([header, ...lines, end, ""].join("\n"));
}

async function repeatedImport(owner: OwnerServices, bytes: Uint8Array): Promise<string[]> {
  const { sessions } = await importEverything(owner, uploadLines(chunksOf(bytes)), () => true);
  const isSame = sessions.imported + sessions.restored + sessions.failed === 0;
  return isSame ? [] : [`The same file again changed something: ${JSON.stringify(sessions)}`];
}

/** In pieces that cut characters. */
function chunksOf(bytes: Uint8Array): Readable {
  const half = Math.floor(bytes.length / 2);
  return Readable.from([bytes.subarray(0, half), bytes.subarray(half)]);
}

function isRefusal(error: unknown): error is HttpError | ChatError {
  if (error instanceof HttpError) return error.status < 500;
  return error instanceof ChatError && error.code === "invalid-import";
}

function sentenceProblems({ problems }: ImportReportWire): string[] {
  const wrong = problems.filter(({ message }) => !isSentence(message));
  return wrong.map(({ message }) => `“${message}” is no sentence.`);
}

function isSentence(message: string): boolean {
  return /[.!?]$/.test(message);
}

function isAnything({ sessions, documents }: ImportReportWire): boolean {
  return sessions.imported + documents.imported > 0;
}
