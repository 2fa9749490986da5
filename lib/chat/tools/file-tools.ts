import { type Tool, tool } from "ai";
import { isBlankQuery, parseQuery } from "grove-session";
import { z } from "zod";
import { cleanText } from "@/lib/chat/core/clean-text";
import type { FileStore, KnowledgeStore, NamedFile } from "@/lib/chat/core/file-store";
import type { FilesOfRun, OwnerTool } from "@/lib/chat/core/tool-source";
import {
  citation,
  filesWarning,
  idLength,
  type NamedPage,
  readPagesName,
  searchFilesName,
} from "@/lib/chat/wire/knowledge";

const mostHits = 8;
const mostPagesAtOnce = 50;
const charactersAtOnce = 30_000;

export interface FilePages {
  readonly pages: readonly (NamedPage & { readonly title: string; readonly text: string })[];
  readonly rest?: string;
}

interface FileToolsOptions {
  readonly files: Pick<FileStore, "list" | "pages">;
  readonly knowledge: KnowledgeStore;
}

const about = {
  origin: { kind: "grove", name: "Knowledge" },
  defaultPolicy: "on",
  readsFiles: true,
} as const;

const fileName = z.string().trim().min(1).max(300);

export class FileTools {
  readonly #files: FileToolsOptions["files"];
  readonly #knowledge: KnowledgeStore;

  constructor({ files, knowledge }: FileToolsOptions) {
    this.#files = files;
    this.#knowledge = knowledge;
  }

  list(): readonly OwnerTool[] {
    return [
      {
        ...about,
        name: searchFilesName,
        title: "Search files",
        note: "Finds pages of the files among your knowledge, or a project's, and of the chat's own.",
        make: ({ files }) => (files ? this.#searching(files) : null),
      },
      {
        ...about,
        name: readPagesName,
        title: "Read pages of files",
        note: "Reads pages of the same files as text.",
        make: ({ files }) => (files ? this.#reading(files) : null),
      },
    ];
  }

  #searching(run: FilesOfRun): Tool {
    return tool({
      description:
        "Search the files that the person has added here, by words. Returns passages with file and page. Read the pages that matter with read_pages before you rely on them.",
      inputSchema: z.object({
        query: z.string().trim().min(1).max(400).describe("A few words, as the file has them."),
        file: fileName.optional().describe("Only this file: its name or id."),
      }),
      execute: ({ query, file }) => this.#search(run, query, file),
      toModelOutput: ({ output }) => ({ type: "text", value: pagesText(output) }),
    });
  }

  #reading(run: FilesOfRun): Tool {
    return tool({
      description: "Read pages of a file that the person has added here, as text.",
      inputSchema: z.object({
        file: fileName.describe("Its name or id, as search_files gives it."),
        pages: z
          .string()
          .regex(/^[1-9]\d{0,6}(-[1-9]\d{0,6})?$/, "must be a page, as 12, or pages, as 12-14")
          .describe("One page, as 12, or several, as 12-14."),
        from: z.int().min(0).optional().describe("Where a long page goes on, as told before."),
      }),
      execute: (asked) => this.#read(run, asked),
      toModelOutput: ({ output }) => ({ type: "text", value: pagesText(output) }),
    });
  }

  async #search(run: FilesOfRun, query: string, name: string | undefined): Promise<FilePages> {
    const asked = parseQuery(query, { prefix: false });
    if (isBlankQuery(asked)) throw new FileToolError("Give at least one word to search for.");
    const scope =
      name === undefined
        ? { ofPlace: run.ofPlace, files: await run.ofPath() }
        : { ofPlace: false, files: [await this.#named(run, name)] };
    const hits = await this.#knowledge.search(asked, { scope, limit: mostHits });
    return cleanText({ pages: hits.map(namedPage) });
  }

  async #read(run: FilesOfRun, { file: name, pages: range, from = 0 }: PagesAsked) {
    const file = await this.#named(run, name);
    const [known] = await this.#files.list([file.sha256]);
    if (!known) throw new FileToolError(`“${file.name}” is no longer stored.`);
    if (known.unread)
      throw new FileToolError(`“${file.name}” is still being read. Try again later.`);
    const [first = 1, last = first] = range.split("-").map(Number);
    const to = Math.min(last, first + mostPagesAtOnce - 1);
    const pages = await this.#files.pages(file.sha256, { from: first, to });
    if (pages.length === 0)
      throw new FileToolError(known.problem ?? noSuchPage(file.name, range, known.pages));
    const read = withinLimit(file, pages, from);
    const isWhole = read.rest !== undefined || to === last || pages.length < mostPagesAtOnce;
    return cleanText(isWhole ? read : { ...read, rest: goOnWith(to + 1) });
  }

  async #named(run: FilesOfRun, name: string): Promise<NamedFile> {
    const isMeant = (file: NamedFile) =>
      file.name.toLowerCase() === name.toLowerCase() ||
      (name.length >= idLength && file.sha256.startsWith(name));
    const [ofPlace, ofPath] = await Promise.all([
      run.ofPlace ? this.#knowledge.named(name) : [],
      run.ofPath(),
    ]);
    const meant = [...ofPath.filter(isMeant), ...ofPlace];
    const [file, ...others] = new Map(meant.map((each) => [each.sha256, each])).values();
    if (!file)
      throw new FileToolError(`There is no file “${name}” here. ${searchFilesName} names files.`);
    if (others.length === 0) return file;
    const ids = [file, ...others].map(({ sha256 }) => sha256.slice(0, idLength)).join(", ");
    throw new FileToolError(`Several files are called “${name}”. Name one by its id: ${ids}.`);
  }
}

interface PagesAsked {
  readonly file: string;
  readonly pages: string;
  readonly from?: number | undefined;
}

/** Its message goes to the model. */
class FileToolError extends Error {
  override readonly name = "FileToolError";
}

type PageText = { readonly page: number; readonly title: string; readonly text: string };

function namedPage({ sha256, name, page, title, text }: NamedFile & PageText) {
  return { url: `grove-file:${sha256}` as const, name, page, title, text };
}

function noSuchPage(name: string, range: string, pages = 1): string {
  return `“${name}” has no page ${range}. It has ${pages === 1 ? "one page" : `${pages} pages`}.`;
}

function withinLimit(file: NamedFile, pages: readonly PageText[], from: number): FilePages {
  const given: PageText[] = [];
  let left = charactersAtOnce;
  for (const [index, { text, ...page }] of pages.entries()) {
    const rest = index === 0 ? text.slice(from) : text;
    if (rest.length > left) {
      if (index > 0) return { pages: listed(), rest: goOnWith(page.page) };
      given.push({ ...page, text: rest.slice(0, left) });
      return {
        pages: listed(),
        rest: `Page ${page.page} goes on: read it with from ${from + left}.`,
      };
    }
    given.push({ ...page, text: rest });
    left -= rest.length;
  }
  return { pages: listed() };

  function listed() {
    return given.map((page) => namedPage({ ...file, ...page }));
  }
}

function goOnWith(page: number): string {
  return `Read on with pages ${page}.`;
}

function pagesText({ pages, rest }: FilePages): string {
  if (pages.length === 0) return "No page has these words. Try others, as the file may have them.";
  const texts = pages.map((page) => {
    const title = page.title === "" ? "" : ` · ${page.title}`;
    return `${citation(page)}${title}\n${page.text || "(No text on this page.)"}`;
  });
  return [filesWarning, ...texts, ...(rest === undefined ? [] : [`[${rest}]`])].join("\n\n");
}
