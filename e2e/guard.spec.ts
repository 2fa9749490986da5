import { request as httpRequest } from "node:http";
import { expect, type Page } from "@playwright/test";
import { startOtherSite } from "./support/other-site";
import { test } from "./support/test";

test.describe("Grove on this machine without a login", () => {
  test("refuses everything that a page of another site can send", { tag: "@essential" }, async ({
    page,
    baseURL,
  }) => {
    const site = await startOtherSite();
    try {
      await page.goto(site.url);
      const statuses = await statusesOf(page, `${baseURL}/api/sessions`);
      expect(statuses).toEqual({ fetch: 403, beacon: 403, form: 403, image: 403 });
    } finally {
      await site.close();
    }
  });

  test("answers to no other name", async ({ baseURL }) => {
    const port = new URL(baseURL ?? "").port;
    const names = [
      "evil.example",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      "127.0.0.1:1",
    ];
    for (const name of names) expect(await statusFor(`${baseURL}/`, name), name).toBe(403);
    expect(await statusFor(`${baseURL}/api/health`, `localhost:${port}`)).toBe(200);
  });

  test("says why a body is not taken", async ({ request }) => {
    const text = await request.post("/api/sessions", {
      headers: { "Content-Type": "text/plain" },
      data: "{}",
    });
    expect(text.status()).toBe(415);
    const large = await request.post("/api/sessions", { data: { title: "a".repeat(1_000_001) } });
    expect(large.status()).toBe(413);
    expect(await large.json()).toMatchObject({
      error: { message: expect.stringContaining("1 MB") },
    });
  });

  test("answers itself what no handler takes", async ({ baseURL, request }) => {
    const own = new URL(baseURL ?? "").host;
    const health = `${baseURL}/api/health`;
    expect(await statusFor(health, own, { method: "TRACE" })).toBe(405);
    expect(await statusFor(health, "evil.example", { method: "TRACE" })).toBe(403);
    expect(await statusFor(`${baseURL}/`, own, { path: "/s/%E0%A4%A" })).toBe(400);
    const unknown = await request.get("/api/nothing/here");
    expect(unknown.status()).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { code: "not-found" } });
  });

  test("shows pages whose policy lets nothing in from elsewhere", async ({ page }) => {
    const response = await page.goto("/");
    const policy = response?.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("img-src 'self' data: blob:");
    expect(policy).toMatch(/script-src 'nonce-[^']+' 'strict-dynamic'$/);
  });
});

/** Responses to each way a page can make its browser send a request without a preflight. */
async function statusesOf(page: Page, target: string): Promise<Record<string, number>> {
  const ways = ["fetch", "beacon", "form", "image"] as const;
  const statuses: Record<string, number> = {};
  const status = await watchStatuses(page);
  for (const way of ways) {
    const url = `${target}?way=${way}`;
    await page.evaluate(send, { way, url });
    await expect.poll(() => status(url), { message: way }).toBeDefined();
    statuses[way] = status(url) ?? 0;
  }
  return statuses;
}

/** Reads the wire, because the browser hides from the page, and from tests of it, what another site refused. */
async function watchStatuses(page: Page): Promise<(url: string) => number | undefined> {
  const wire = await page.context().newCDPSession(page);
  const urls = new Map<string, string>();
  const statuses = new Map<string, number>();
  wire.on("Network.requestWillBeSent", (sent) => urls.set(sent.requestId, sent.request.url));
  wire.on("Network.responseReceivedExtraInfo", (received) =>
    statuses.set(received.requestId, received.statusCode),
  );
  await wire.send("Network.enable");
  return (url) => {
    const [id] = [...urls].find(([, sent]) => sent === url) ?? [];
    return id === undefined ? undefined : statuses.get(id);
  };
}

/** Runs in the other site's page. */
function send({ way, url }: { way: "fetch" | "beacon" | "form" | "image"; url: string }): void {
  if (way === "fetch")
    void fetch(url, { method: "POST", mode: "no-cors", body: "{}" }).catch(() => null);
  if (way === "beacon") navigator.sendBeacon(url, "{}");
  if (way === "image") new Image().src = url;
  if (way !== "form") return;
  const form = document.createElement("form");
  Object.assign(form, { action: url, method: "post", enctype: "text/plain", target: "sink" });
  document.body.append(form);
  form.submit();
}

function statusFor(
  url: string,
  host: string,
  options: { method?: string; path?: string } = {},
): Promise<number | undefined> {
  return new Promise((done, fail) => {
    httpRequest(url, { headers: { host }, ...options }, (response) => {
      response.resume();
      done(response.statusCode);
    })
      .on("error", fail)
      .end();
  });
}
