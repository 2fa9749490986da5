import { createHash } from "node:crypto";
import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseQuery } from "grove-session";
import type { Sql } from "grove-session/postgres";
import { withTemporaryFolder } from "@/lib/commands/testing/grove-process";
import { connect } from "@/lib/postgres/connect";
import { PostgresFiles, searchPages } from "@/lib/postgres/internal";
import { randomNumbers } from "@/lib/text/testing/random";
import { type BenchOptions, onBenchDatabase } from "./bench-app";
import { percentile } from "./interleave";
import { sampleText, wordOf } from "./seed";

export type KnowledgeFigures = Awaited<ReturnType<typeof knowledgeBench>>;

interface Document {
  readonly name: string;
  readonly pages: readonly { readonly text: string; readonly questions: readonly string[] }[];
}

const languages = ["en", "de", "fr"] as const;
const recallAt = 5;
const large = { files: 500, pages: 200, pageBytes: 1_500 };
const searches = 60;

/** Searches as models would with a person's question as it is, the hardest form of it. */
export async function knowledgeBench({ signal, say }: BenchOptions) {
  return withTemporaryFolder((dataDir) =>
    onBenchDatabase(dataDir, async (sql, url) => {
      const recalls = await measureRecall(sql, dataDir);
      say(`Storing ${large.files * large.pages} pages.`);
      const random = randomNumbers(5);
      const text = () => ({ text: sampleText(random, large.pageBytes), questions: [] });
      const files = [];
      for (let n = 0; n < large.files; n++) {
        signal.throwIfAborted();
        const document = { name: `file ${n}`, pages: Array.from({ length: large.pages }, text) };
        files.push(await store(sql, { owner: "large", folder: dataDir, document }));
      }
      const patient = connect(url, { max: 1, deadlineMs: null });
      await patient`vacuum analyze chat_file_page`;
      await patient.end();
      return { ...recalls, latencies: await measureLatency(sql, files) };
    }),
  );
}

/** Pages of our own with questions, among manuals of installed packages. */
async function measureRecall(sql: Sql, folder: string) {
  const owner = "recall";
  const scope = { ofPlace: false, files: [] as { sha256: string; name: string }[] };
  const asked: { language: string; question: string; page: string }[] = [];
  for (const language of languages) {
    for (const document of await questionedDocuments(language)) {
      const file = await store(sql, { owner, folder, document });
      scope.files.push(file);
      for (const [index, { questions }] of document.pages.entries()) {
        const page = `${file.sha256} ${index + 1}`;
        asked.push(...questions.map((question) => ({ language, question, page })));
      }
    }
  }
  for (const document of await otherDocuments()) {
    scope.files.push(await store(sql, { owner, folder, document }));
  }
  const missed: string[] = [];
  for (const { language, question, page } of asked) {
    const query = parseQuery(question, { prefix: false });
    const hits = await searchPages(sql, owner, query, { scope, limit: recallAt });
    if (!hits.some((hit) => `${hit.sha256} ${hit.page}` === page)) {
      missed.push(`${language}: ${question}`);
    }
  }
  const recallOf = (prefix: string) => {
    const among = asked.filter(({ language }) => language.startsWith(prefix)).length;
    return 1 - missed.filter((each) => each.startsWith(prefix)).length / among;
  };
  return {
    questions: asked.length,
    documents: scope.files.length,
    recall: recallOf(""),
    byLanguage: languages.map((language) => ({ language, recall: recallOf(language) })),
    missed,
  };
}

async function questionedDocuments(language: string): Promise<Document[]> {
  const written = await readFile(join(import.meta.dirname, `knowledge/${language}.txt`), "utf8");
  return written
    .split(/^# /m)
    .slice(1)
    .map((document) => {
      const [name = "", ...pages] = document.split(/^==\n/m);
      return {
        name: name.trim(),
        pages: pages.map((page) => {
          const [text = "", ...questions] = page.trim().split(/^\? /m);
          return { text, questions: questions.map((question) => question.trim()) };
        }),
      };
    });
}

async function otherDocuments(): Promise<Document[]> {
  const paths = await Array.fromAsync(
    glob(["node_modules/next/dist/docs/**/*.md", "node_modules/axe-core/locales/{de,fr}.json"]),
  );
  return Promise.all(
    paths.toSorted().map(async (name) => {
      const text = await readFile(name, "utf8");
      const pages = text.match(/[\s\S]{1,1500}(?:\s|$)/g) ?? [];
      return { name, pages: pages.map((page) => ({ text: page, questions: [] })) };
    }),
  );
}

async function measureLatency(sql: Sql, files: readonly { sha256: string; name: string }[]) {
  const random = randomNumbers(9);
  const scope = { ofPlace: false, files };
  const rank = () => Math.floor(Math.exp(random() * Math.log(5_000)));
  const timings = [];
  for (const words of [1, 2, 3, 6]) {
    const times: number[] = [];
    for (let n = 0; n < searches; n++) {
      const line = Array.from({ length: words }, () => wordOf(rank())).join(" ");
      const startedAt = performance.now();
      const query = parseQuery(line, { prefix: false });
      await searchPages(sql, "large", query, { scope, limit: 8 });
      times.push(performance.now() - startedAt);
    }
    timings.push({ words, p50: percentile(times, 0.5), p95: percentile(times, 0.95) });
  }
  return timings;
}

interface Storing {
  readonly owner: string;
  readonly folder: string;
  readonly document: Document;
}

async function store(sql: Sql, { owner, folder, document: { name, pages } }: Storing) {
  const path = join(folder, "file");
  await writeFile(path, name);
  const sha256 = createHash("sha256").update(name).digest("hex");
  await new PostgresFiles(sql, owner).add(
    { sha256, size: name.length, mediaType: "application/pdf" },
    {
      path,
      content: () => ({
        facts: {},
        pages: pages.map(({ text }, index) => ({ page: index + 1, title: "", text })),
      }),
    },
  );
  return { sha256, name };
}
