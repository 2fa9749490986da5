import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Sql } from "grove-session/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatError } from "@/lib/chat/core/chat-error";
import { newOwner } from "@/lib/chat/testing/chat-fixture";
import type { ImportReportWire } from "@/lib/chat/wire/data";
import { enclosingLines } from "@/lib/history/chat-records";
import { fullOwner } from "@/lib/postgres/portable/testing/full-owner";
import { brokenInvariants } from "@/lib/postgres/testing/broken-invariants";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { HttpError } from "@/lib/server/http-error";
import type { OwnerServices } from "@/lib/server/owner-services";
import { uploadLines } from "@/lib/server/upload-lines";
import { mutated } from "@/lib/text/testing/mutated-text";
import { Random } from "@/lib/text/testing/random";
import { reshaped } from "@/lib/text/testing/reshaped";
import { trySeeds } from "@/lib/text/testing/try-seeds";
import { importEverything } from "./portable-data";
import { expectSameExport, exported } from "./testing/compared-exports";
import {
  differencesOf,
  fileNamed,
  lostWords,
  type Read,
  readAsPage,
  toldExport,
} from "./testing/products/judge";
import { type Product, products } from "./testing/products/product-table";
import { makeRandomAccount } from "./testing/random-account";

const randomAccounts = 3;
const exportedAgainShare = 0.02;
/** Limit of what is kept after a collection: garbage before it depends on the machine. */
const mostMegabytes = 300;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test("any file is imported whole, or refused in a sentence, and leaves nothing in memory", {
  tags: "long",
}, async () => {
  const { sql } = database;
  const exports = await groveExports(sql);
  const before = keptMegabytes();
  let imported = 0;
  await trySeeds(16, async (random) => {
    const owner = newOwner(sql);
    const file = await fileOf(exports, random);
    expect(file.lost).toEqual([]);
    const report = await importEverything(owner, pieces(file.bytes), () => true).catch(refusal);
    if (typeof report === "string") expect(report).toMatch(sentence);
    else await expectImported(sql, { owner, random, file, report });
    if (typeof report !== "string") imported += report.sessions.imported;
    expect(await brokenInvariants(sql, owner.spaceId)).toEqual([]);
    await owner.data.deleteAll();
  });
  expect(imported).toBeGreaterThan(0);
  expect(keptMegabytes() - before).toBeLessThan(mostMegabytes);
});

const sentence = /[.!?]$/;

interface Imported {
  readonly owner: OwnerServices;
  readonly random: Random;
  readonly file: ImportFile;
  readonly report: ImportReportWire;
}

async function expectImported(
  sql: Sql,
  { owner, random, file: { bytes, isConverted, order }, report }: Imported,
): Promise<void> {
  expect(report.problems.filter(({ message }) => !sentence.test(message))).toEqual([]);
  if (isConverted) {
    expect(report.problems).toEqual([]);
    const again = await importEverything(owner, pieces(bytes), () => true);
    expect(again.sessions).toMatchObject({ imported: 0, restored: 0, failed: 0 });
  }
  if (order) {
    const { sessions } = await owner.store.sessions.list({ limit: 10 });
    expect(sessions.map(({ id }) => id)).toEqual(order);
  }
  const isAnything = report.sessions.imported + report.documents.imported > 0;
  if (!isAnything || random.next() >= exportedAgainShare) return;
  const copy = newOwner(sql);
  await expectSameExport(sql, { owner, copy, lines: await exported(owner) });
  await copy.data.deleteAll();
}

/** Returns what a person reads of a refusal. @throws any other error. */
function refusal(error: unknown): string {
  if (error instanceof HttpError && error.status < 500) return error.message;
  if (error instanceof ChatError && error.code === "invalid-import") return error.message;
  throw error;
}

/** Cuts characters. */
function pieces(bytes: Uint8Array) {
  const half = Math.floor(bytes.length / 2);
  return uploadLines(Readable.from([bytes.subarray(0, half), bytes.subarray(half)]));
}

function keptMegabytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 1_000_000;
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
  readonly lost: readonly string[];
  /** Ids of its chats as the list has to show them; `null` where they are not known. */
  readonly order: readonly string[] | null;
}

async function fileOf({ previous, accounts, chats }: Exports, random: Random): Promise<ImportFile> {
  const kind = random.next();
  const exportsOf = kind < 0.01 ? ([previous] as const) : kind < 0.2 ? accounts : chats;
  if (kind < 0.5) {
    const bytes = mutated(random.of(exportsOf), random);
    return { bytes, isConverted: false, lost: [], order: null };
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
    lost: (lost ?? []).map((each) => `${product.name}: ${each}`),
    order: way === 0 && !product.isSingle ? told.chats.map(({ id }) => id) : null,
  };
}

function convertedLines({ records }: Read): Uint8Array {
  const { header, end } = enclosingLines(records.length, new Date());
  const lines = records.flatMap((record) => record.lines);
  return new TextEncoder().encode([header, ...lines, end, ""].join("\n"));
}
