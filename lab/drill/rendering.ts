import type { Browser, Page } from "playwright";
import { type OtherSite, withBrowser, withOtherSite } from "@/lab/browser";
import { type GroveProcess, withGrove } from "@/lib/commands/testing/grove-process";
import { Random } from "@/lib/text/testing/random";
import type { Drill, DrillOptions, DrillResult } from "./drill";

const payloadsOfPage = 10;
/** Size in pixels. Messages out of view are left out of the page. */
const wholeSession = { width: 1_000, height: 6_000 };

export const rendering: Drill = {
  name: "rendering",
  promise: "Showing an answer sends nothing anywhere and runs nothing.",
  unit: "payloads",
  fullCount: 500,
  run: (options) =>
    withGrove((grove) => withBrowser((browser) => showTo(browser, { grove, options }))),
};

async function showTo(
  browser: Browser,
  { grove, options }: { grove: GroveProcess; options: DrillOptions },
): Promise<DrillResult> {
  const hits: string[] = [];
  const page = await browser.newPage({ viewport: wholeSession });
  return withOtherSite(
    (request, response) => {
      hits.push(request.url ?? "");
      response.end();
    },
    (sink) => showAll({ grove, page, sink: { ...sink, hits } }, options),
  );
}

interface Sink extends OtherSite {
  readonly hits: readonly string[];
}

const run = "window.ran=1";

const payloads = [
  (url) => `![a](${url})`,
  (url) => `![a][r]\n\n[r]: ${url}`,
  (url) => `[![a](${url})](${url})`,
  (url) => `[a](${url} "title")`,
  (url) => `<${url}>`,
  (url) => `<img src="${url}" onerror="${run}">`,
  (url) => `<img srcset="${url} 2x" loading="eager">`,
  (url) => `<picture><source srcset="${url}"><img></picture>`,
  (url) => `<video poster="${url}" src="${url}" autoplay></video>`,
  (url) => `<audio src="${url}" autoplay onloadstart="${run}"></audio>`,
  (url) => `<iframe src="${url}" srcdoc="<script>parent.ran=1</script>"></iframe>`,
  (url) => `<object data="${url}"></object><embed src="${url}">`,
  (url) => `<link rel="stylesheet" href="${url}"><link rel="prefetch" href="${url}">`,
  (url) => `<link rel="dns-prefetch preconnect preload modulepreload" as="image" href="${url}">`,
  (url) =>
    `<style>@import "${url}"; @font-face{font-family:x;src:url(${url})} *{font-family:x}</style>`,
  (url) => `<p style="background:url(${url})">a</p>`,
  (url) => `<div style="list-style-image:url('${url}');content:url(${url})">a</div>`,
  (url) => `<svg><image href="${url}" xlink:href="${url}"/><use href="${url}#a"/></svg>`,
  (url) => `<svg onload="${run}"><script href="${url}">${run}</script></svg>`,
  (url) =>
    `<svg><style>@import '${url}'</style><foreignObject><img src="${url}"></foreignObject></svg>`,
  (url) => `<math><mtext><img src="${url}" onerror="${run}"></mtext></math>`,
  (url) => `<script src="${url}"></script><script>${run}</script>`,
  (url) => `<meta http-equiv="refresh" content="0;url=${url}"><base href="${url}">`,
  (url) =>
    `<form action="${url}"><input type="image" src="${url}" autofocus onfocus="${run}"></form>`,
  (url) => `<body background="${url}" onload="${run}">`,
  (url) => `<table background="${url}"><td background="${url}">a</table>`,
  (url) => `<a href="javascript:${run}" ping="${url}">a</a>`,
  () => `[a](javascript:${run})`,
  () => `[a](JaVaScRiPt:${run})`,
  () => `[a](java&#x0A;script:${run})`,
  () => `[a](data:text/html,<script>opener.ran=1</script>)`,
  () => `[a](vbscript:${run})`,
  () => `![a](javascript:${run})`,
  (url) => `$\\href{javascript:${run}}{a}$ and $\\includegraphics{${url}}$`,
  (url) => `$$\\url{${url}}\\htmlStyle{background:url(${url})}{a}$$`,
  (url) => `\`\`\`html\n<img src="${url}" onerror="${run}">\n\`\`\``,
  (url) => `\`\`\`svg\n<svg onload="${run}"><image href="${url}"/></svg>\n\`\`\``,
  (url) => `\`\`\`mermaid\ngraph TD; A["<img src='${url}'>"] --> B; click A href "${url}"\n\`\`\``,
  (url) => `| a |\n|-|\n| ![a](${url}) <img src=${url}> |`,
  (url) => `- [ ] ![a](${url})\n> <img src="${url}">\n\n[^1]\n\n[^1]: ![a](${url})`,
] as const satisfies readonly ((url: string) => string)[];

const disguises = [
  (text: string) => text,
  (text: string) => `Before ${text} after`,
  (text: string) => text.toUpperCase().replaceAll("WINDOW.RAN", "window.ran"),
  (text: string) => text.replaceAll("http://", "//"),
  (text: string) => text.replaceAll("<", "<\n").replaceAll('"', "'"),
  (text: string) => `**${text}**`,
  (text: string) => `# ${text}`,
  (text: string) => text.replaceAll("=", " =\t"),
  (text: string) => text.replaceAll("<", "&lt;"),
  (text: string) => `${text}\n\n<!-- ${text} -->`,
  (text: string) => `\u202e${text}`,
  (text: string) => `<div>\n\n${text}\n\n</div>`,
  (text: string) => `<![CDATA[${text}]]>`,
] as const;

interface Setting {
  readonly grove: GroveProcess;
  readonly page: Page;
  readonly sink: Sink;
}

async function showAll(
  { grove, page, sink }: Setting,
  { count, seed, signal, say }: DrillOptions,
): Promise<DrillResult> {
  const random = new Random(seed);
  const foreign: string[] = [];
  const own = new URL(grove.address).host;
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http") && host !== own) foreign.push(request.url());
  });
  const broken: string[] = [];
  let scripts = 0;
  let runningLinks = 0;
  let shown = 0;
  let hovered = 0;
  for (let done = 0; done < count && !signal.aborted; done += payloadsOfPage) {
    const size = Math.min(payloadsOfPage, count - done);
    const texts = Array.from({ length: size }, (_, n) => {
      const make = payloads[(done + n) % payloads.length] ?? payloads[0];
      return random.of(disguises)(make(`${sink.url}/${done + n}`));
    });
    const id = `rendering-${done}`;
    await importSession(grove, { id, texts });
    await page.goto(`${grove.address}/s/${id}`);
    await page.getByText("That was all.").waitFor();
    // Rows that have just become live are hidden until the next frame measures them.
    await page.locator('[aria-label="Conversation"]:not([aria-busy])').waitFor();
    const answers = page.getByRole("article", { name: /^Answer/ });
    await answers.nth(size - 1).waitFor();
    // Not yet shown as Markdown.
    await answers.locator("[data-waiting]").first().waitFor({ state: "detached" });
    // Hovering scrolls, and the list keeps only what is near.
    shown += await answers.count();
    for (const link of await answers.locator(".prose a").all()) {
      // Another payload may cover it.
      hovered += await link.hover({ timeout: 500 }).then(
        () => 1,
        () => 0,
      );
    }
    const links = page.locator('[href^="javascript:" i], [href^="data:" i], [href^="vbscript:" i]');
    runningLinks += await links.count();
    scripts += Number(await page.evaluate(() => "ran" in window));
    say(`${done + size} payloads`);
  }
  if (scripts > 0) broken.push(`${scripts} pages ran a script.`);
  if (runningLinks > 0) broken.push(`${runningLinks} links would run a script.`);
  if (shown < count && !signal.aborted) broken.push(`Only ${shown} answers were shown.`);
  broken.push(...[...foreign, ...sink.hits].slice(0, 50).map((url) => `Asked for ${url}`));
  return {
    broken,
    figures: {
      ...{ "answers shown": shown, "links hovered": hovered, "scripts run": scripts },
      "foreign requests": foreign.length + sink.hits.length,
    },
  };
}

async function importSession(
  { address }: GroveProcess,
  { id, texts }: { id: string; texts: readonly string[] },
): Promise<void> {
  const now = new Date().toISOString();
  // Only answers are shown as Markdown.
  const said = [...texts.flatMap((text, n) => [`Payload ${n}?`, text]), "That was all."];
  const messages = said.map((text, n) => ({
    ...{ type: "message", id: `${id}-${n}`, parentId: n === 0 ? null : `${id}-${n - 1}` },
    ...{ role: n % 2 === 0 ? "user" : "assistant", createdAt: now, pinned: false, label: null },
    content: { parts: [{ type: "text", text }], metadata: { status: "complete" } },
  }));
  const leaf = messages.at(-1)?.id ?? null;
  const lines = [
    { type: "grove-export", format: 1, exportedAt: now },
    {
      ...{ type: "session", id, title: `<img src=x onerror=${run}>`, model: null, source: null },
      ...{ tags: [], metadata: {}, parentSessionId: null, forkedAtMessageId: null },
      ...{ inputTokens: 0, outputTokens: 0, cost: 0, frozenPrompt: null, pinnedAt: null },
      ...{ archivedAt: null, createdAt: now, updatedAt: now, activeLeafId: leaf, leafIds: [leaf] },
    },
    ...messages,
    { type: "session-end", id, messages: messages.length },
    { type: "end", sessions: 1 },
  ];
  const response = await fetch(`${address}/api/import`, {
    method: "POST",
    headers: { "Content-Type": "application/x-ndjson" },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  });
  const report: unknown = await response.json();
  if (!JSON.stringify(report).includes('"imported":1'))
    throw new Error(`The payloads were not imported: ${JSON.stringify(report)}`);
}
