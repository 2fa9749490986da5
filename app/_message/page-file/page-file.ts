import type { EntryWire, GroveMessage } from "@/lib/chat/wire/messages";
import { type BranchChain, type ChainLink, type LaidNode, layOut, pathTo } from "./branch-layout";
import { escapeHtml, messageHtml, type PageContents, type PageFiles } from "./message-html";
import { pageStyle } from "./page-style";
import { shareLinks } from "./share-links";

export interface PageSource extends PageFiles {
  readonly title: string;
  /** Parents before children, siblings oldest first. */
  readonly nodes: readonly LaidNode[];
  readonly leafId: string | null;
  /** The path to `leafId` after a position, or from its root. */
  path(leafId: string, afterPosition: number | undefined): AsyncIterable<PageEntry>;
}

export type PageEntry = Pick<EntryWire, "position"> & { readonly message: GroveMessage };

export interface PageOptions extends PageContents {
  readonly branches: boolean;
  readonly savedAt: Date;
  readonly shared?: { readonly titleInPreviews: boolean; readonly canReport: boolean };
  readonly onShown?: (id: string) => void;
}

/**
 * One HTML file without network, script or other files. The address alone decides the branch: the one with its
 * fragment's target, else the path to the leaf.
 */
export async function* pageFile(source: PageSource, options: PageOptions): AsyncGenerator<string> {
  const nodes = options.branches ? source.nodes : pathTo(source.nodes, source.leafId);
  const main = layOut(nodes, source.leafId);
  const title = escapeHtml(source.title);
  const day = options.savedAt.toISOString().slice(0, 10);
  yield `<!doctype html><html><head><meta charset="utf-8">`;
  yield `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  yield `<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">`;
  yield `<meta name="robots" content="noindex"><title>${title}</title><style>${pageStyle}</style>`;
  if (options.shared)
    yield `<meta property="og:title" content="${options.shared.titleInPreviews ? title : "A shared chat"}">`;
  yield `</head><body><header><h1 dir="auto">${title}</h1>`;
  yield `<p>${options.shared ? "Shared" : "Saved"} from Grove, <time>${day}</time></p>`;
  if (options.shared) yield shareLinks(options.shared);
  if (hasBranches(main))
    yield `<details><summary>Branches</summary><ul>${outline(main)}</ul></details>`;
  yield `</header><main>`;
  yield* chainHtml(main, { source, options, after: undefined });
  yield `</main></body></html>\n`;
}

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

interface ChainPlace {
  readonly source: PageSource;
  readonly options: PageOptions;
  readonly after: number | undefined;
}

async function* chainHtml({ links }: BranchChain, place: ChainPlace): AsyncGenerator<string> {
  const leaf = links.at(-1);
  if (!leaf) return;
  const { source, options } = place;
  let { after } = place;
  const read = readerOf(source.path(leaf.node.id, after));
  for (const link of links) {
    for (const other of link.others) {
      yield `<section class="branch">`;
      yield* chainHtml(other, { source, options, after });
      yield "</section>";
    }
    const entry = await read(link.node.id);
    const shown = { shows: options, files: source, prefix: `m${link.anchor}` };
    if (entry && link.node.role !== "system") options.onShown?.(link.node.id);
    yield articleHtml(link, entry ? await messageHtml(entry.message, shown) : "");
    after = entry?.position ?? after;
  }
}

const speakers = { user: "Question", assistant: "Answer", system: "Instructions" } as const;

/** A program's instructions were not said. An empty article is still a place to go to. */
function articleHtml({ node, anchor, places }: ChainLink, content: string): string {
  const { role } = node;
  const shown = role === "system" ? "" : content;
  if (shown === "" && places.length < 2) return `<article id="m${anchor}"></article>`;
  return `<article id="m${anchor}" class="${role}"><h2>${speakers[role]}</h2>${shown}${switchHtml(anchor, places)}</article>`;
}

function switchHtml(anchor: number, places: readonly number[]): string {
  if (places.length < 2) return "";
  const index = places.indexOf(anchor);
  const to = (place: number | undefined, sign: string, words: string) =>
    place === undefined
      ? `<span>${sign}</span>`
      : `<a href="#m${place}" aria-label="${words}">${sign}</a>`;
  const previous = to(places[index - 1], "‹", "Previous version");
  const next = to(places[index + 1], "›", "Next version");
  return `<nav>${previous} ${index + 1}/${places.length} ${next}</nav>`;
}

function hasBranches({ links }: BranchChain): boolean {
  return links.some(({ others }) => others.length > 0);
}

/** Leaves are named by the first words that only their branch has. */
function outline({ links }: BranchChain): string {
  const leaf = links.at(-1);
  if (!leaf) return "";
  const named =
    links.find(({ node }) => node.role === "user" && node.preview !== "") ??
    links.find(({ node }) => node.role !== "system");
  const words = escapeHtml(named?.node.preview || "Without text");
  const inner = links.flatMap(({ others }) => others.map(outline)).join("");
  return `<li><a dir="auto" href="#m${leaf.anchor}">${words}</a>${inner && `<ul>${inner}</ul>`}</li>`;
}

/** Ids come in path order; `null` for one deleted meanwhile. */
function readerOf(path: AsyncIterable<PageEntry>): (id: string) => Promise<PageEntry | null> {
  const entries = path[Symbol.asyncIterator]();
  const passed = new Map<string, PageEntry>();
  return async (id) => {
    while (!passed.has(id)) {
      const next = await entries.next();
      if (next.done) return null;
      passed.set(next.value.message.id, next.value);
    }
    const entry = passed.get(id) ?? null;
    passed.delete(id);
    return entry;
  };
}
