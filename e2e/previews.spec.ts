import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:http";
import { expect, type Locator, type Page } from "@playwright/test";
import { answers, isLive } from "./support/conversation";
import { importAnswer } from "./support/import-answer";
import { test } from "./support/test";

// Chromium isolates sites only where there is memory enough, which the machine of a test may lack.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), "--site-per-process"] }),
});

// One browser for the file: each story would start another, and the story after it one more.
test.describe.configure({ mode: "default" });

const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n\n`;

async function answerWith(page: Page, text: string): Promise<Locator> {
  const sessionId = await importAnswer(page.request, text);
  await page.goto(`/s/${sessionId}`);
  await isLive(page);
  return answers(page).first();
}

const frameIn = (answer: Locator) => answer.frameLocator('iframe[title="Preview"]');
const preview = (answer: Locator) => answer.getByRole("button", { name: "Preview" }).click();

test("A diagram is drawn, a broken one says why, and the source of both is there", async ({
  page,
}) => {
  const answer = await answerWith(
    page,
    block("mermaid", "graph TD\n  A[Seed] --> B[Sprout]") + block("mermaid", "graph TD\n  A --> ]"),
  );
  const diagram = answer.getByRole("img", { name: "Diagram" });
  await expect(diagram).toBeVisible();
  // Mermaid's own violet.
  expect(decodeURIComponent((await diagram.getAttribute("src")) ?? "")).not.toMatch(
    /#ececff|#9370db/i,
  );
  await expect(answer.getByText("This diagram could not be drawn:")).toBeVisible();
  await expect(answer.getByText("A --> ]")).toBeVisible();
  await answer.getByRole("button", { name: "Code", exact: true }).first().click();
  await expect(answer.getByText("A[Seed] --> B[Sprout]")).toBeVisible();
  await answer.getByRole("button", { name: "Preview" }).click();
  await answer.getByRole("button", { name: "Expand" }).first().click();
  const beside = page.getByRole("region", { name: "Preview" });
  await expect(beside.getByRole("img", { name: "Diagram" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(beside).toBeHidden();
});

test("A diagram that failed to load is drawn when I try again", async ({ page }) => {
  await page.route("**/preview/mermaid.js", (route) => route.abort(), { times: 1 });
  const answer = await answerWith(page, block("mermaid", "graph TD\n  A[Seed] --> B[Sprout]"));
  await expect(answer.getByText("Mermaid could not be loaded.")).toBeVisible();
  await expect(answer.getByText("A[Seed] --> B[Sprout]")).toBeVisible();
  await answer.getByRole("button", { name: "Try again" }).click();
  await expect(answer.getByRole("img", { name: "Diagram" })).toBeVisible();
});

test("A page runs only when I ask for it, says what it could not load, and its errors", {
  tag: "@essential",
}, async ({ page }) => {
  const answer = await answerWith(
    page,
    block(
      "html",
      `<script src="https://cdn.example/x.js"></script><button onclick="n++; out.textContent = n">More</button><output id="out"></output>
<script>let n = 0;</script><script>addEventListener("DOMContentLoaded", () => { out.textContent = "ready"; missing(); });</script>`,
    ),
  );
  await expect(answer.getByRole("button", { name: "Preview" })).toBeVisible();
  expect(page.frames()).toHaveLength(1);
  await preview(answer);
  await expect(frameIn(answer).locator("output")).toHaveText("ready");
  await frameIn(answer).getByRole("button", { name: "More" }).click();
  await frameIn(answer).getByRole("button", { name: "More" }).click();
  await expect(frameIn(answer).locator("output")).toHaveText("2");
  await expect(answer.getByText("Not loaded: cdn.example")).toBeVisible();
  await expect(answer.getByText("missing is not defined")).toBeVisible();
});

test("A picture in SVG is shown, and nothing in it runs", async ({ page }) => {
  const answer = await answerWith(
    page,
    block(
      "svg",
      `<svg viewBox="0 0 9 9" onload="top.ran=1"><circle r="4"/><script>top.ran=1</script></svg>`,
    ),
  );
  await preview(answer);
  const image = frameIn(answer).getByRole("img", { name: "Preview" });
  await expect(image).toBeVisible();
  await expect
    .poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth))
    .not.toBe(0);
  expect(await page.evaluate(() => "ran" in window)).toBe(false);
});

test("A page that loops for ever does not hold mine, and is closed", async ({ page }) => {
  const answer = await answerWith(page, block("html", "<script>for (;;);</script>"));
  await preview(answer);
  await expect(answer.getByText("The preview stopped answering, so it was closed.")).toBeVisible();
  await expect(answer.locator("iframe")).toHaveCount(0);
  await answer.getByRole("button", { name: "Show code" }).click();
  await expect(answer.getByText("for (;;);")).toBeVisible();
});

test("A small preview takes a small place, and a tall one scrolls in its own", async ({ page }) => {
  const tall = "Line<br>".repeat(80);
  const answer = await answerWith(
    page,
    block("html", "<p>One line</p>") +
      block("html", `<p>${tall}</p>`) +
      block("svg", `<svg width="90" height="90"><circle r="40" cx="45" cy="45"/></svg>`) +
      block("mermaid", "graph LR\n  A[Seed] --> B[Sprout]"),
  );
  const heightOf = async (seen: Locator) => Math.round((await seen.boundingBox())?.height ?? 0);
  const blocks = answer.getByRole("figure");
  for (const [index, height] of [64, 384, 90].entries()) {
    const shown = blocks.nth(index);
    await preview(shown);
    await expect.poll(() => heightOf(shown.locator("iframe"))).toBe(height);
  }
  const diagram = answer.getByRole("img", { name: "Diagram" });
  await expect(diagram).toBeVisible();
  expect(await heightOf(blocks.last())).toBeLessThan(200);
});

const escapes: Record<string, string> = {
  nothing: "",
  fetch: "fetch(sink).catch(() => 0)",
  beacon: "navigator.sendBeacon(sink)",
  image: "new Image().src = sink",
  script: "const s = document.createElement('script'); s.src = sink; document.head.append(s)",
  style: "document.head.innerHTML += '<link rel=stylesheet href=' + sink + '>'",
  font: "document.head.innerHTML += '<style>@font-face{font-family:x;src:url(' + sink + ')}*{font-family:x}</style>x'",
  hints:
    "for (const rel of ['dns-prefetch', 'preconnect', 'prefetch', 'preload', 'modulepreload']) { const l = document.createElement('link'); l.rel = rel; l.as = 'script'; l.href = sink; document.head.append(l) }",
  navigation: "location = sink",
  "top navigation": "top.location = sink",
  "a data address": "location = 'data:text/html,<img src=' + sink + '>'",
  "meta refresh":
    "const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=' + sink; document.head.append(m)",
  "a new window": "open(sink)",
  "a link":
    "const a = document.createElement('a'); a.href = sink; a.ping = sink; document.body.append(a); a.click()",
  "a download":
    "const a = document.createElement('a'); a.href = sink; a.download = 'x'; document.body.append(a); a.click()",
  "a form":
    "const f = document.createElement('form'); f.action = sink; document.body.append(f); f.submit()",
  "a socket": "new WebSocket(sink.replace('http', 'ws'))",
  "an event source": "new EventSource(sink)",
  "a worker": "new Worker(URL.createObjectURL(new Blob(['fetch(\"' + sink + '\")'])))",
  "a frame": "const f = document.createElement('iframe'); f.src = sink; document.body.append(f)",
  "an object": "const o = document.createElement('object'); o.data = sink; document.body.append(o)",
  "a module": "import(sink).catch(() => 0)",
  WebRTC: "rtc(window)",
  "WebRTC of a frame within":
    "const f = document.createElement('iframe'); document.body.append(f); rtc(f.contentWindow)",
  "WebRTC of a scripted frame within":
    "const f = document.createElement('iframe'); f.srcdoc = '<script>(' + rtc + ')(window)</' + 'script><img src=x onerror=\"(' + String(rtc).replaceAll('\"', \"'\") + ')(window)\">'; document.body.append(f)",
};

test("Nothing that a page does reaches the network", async ({ page }) => {
  const hits: string[] = [];
  const site = createServer((request, response) => {
    hits.push(request.url ?? "");
    response.end();
  }).listen(0, "127.0.0.1");
  site.on("connection", () => hits.push("a connection"));
  const datagrams = createSocket("udp4").bind(0, "127.0.0.1");
  datagrams.on("message", () => hits.push("a datagram"));
  await Promise.all([once(site, "listening"), once(datagrams, "listening")]);
  const sitePort = (site.address() as { port: number }).port;
  const rtc = `function rtc(from) { const c = new from.RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:${datagrams.address().port}" }] }); c.createDataChannel("a"); c.createOffer().then((offer) => c.setLocalDescription(offer)) }`;
  const pages = Object.entries(escapes).map(([name, attempt]) =>
    block(
      "html",
      `<title>${name}</title><meta http-equiv="refresh" content="0;url=http://127.0.0.1:${sitePort}/meta"><link rel="preconnect" href="http://127.0.0.1:${sitePort}"><body background="http://127.0.0.1:${sitePort}/b"><p>Shown</p><script>const sink = "http://127.0.0.1:${sitePort}/x"; ${rtc}
${attempt};</script>`,
    ),
  );
  const answer = await answerWith(page, pages.join(""));
  const own = page.url();
  for (let shown = 0; shown < pages.length; shown++) {
    await answer.getByRole("button", { name: "Preview" }).nth(shown).click();
    // The first attempts nothing; one that leaves does not stay to be seen.
    if (shown === 0) await expect(frameIn(answer).getByText("Shown")).toBeVisible();
    // Some attempts make frames within the frame.
    await expect.poll(() => page.frames().length).toBeGreaterThan(1);
    await page.waitForTimeout(1_000);
    await answer.getByRole("button", { name: "Code", exact: true }).click();
    await expect.poll(() => page.frames().length).toBe(1);
  }
  expect(hits).toEqual([]);
  expect(page.url()).toBe(own);
  expect(page.context().pages()).toHaveLength(1);
  site.close();
  datagrams.close();
});
