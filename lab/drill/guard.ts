import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Page } from "playwright";
import { z } from "zod";
import { type OtherSite, withBrowser, withOtherSite } from "@/lab/browser";
import { callApi, type GroveProcess, withGrove } from "@/lib/commands/testing/grove-process";
import { Random } from "@/lib/text/testing/random";
import type { Drill, DrillOptions, DrillResult } from "./drill";

const evil = "evil.example";

export const guard: Drill = {
  name: "guard",
  promise: "No page of another site can read or write anything.",
  unit: "attempts",
  fullCount: 2_000,
  run: (options) =>
    withGrove((grove) =>
      withOtherSite(showPage, (site) =>
        withBrowser(
          async (browser) => attack({ grove, site, page: await browser.newPage() }, options),
          { resolves: [evil] },
        ),
      ),
    ),
};

interface Setting {
  readonly grove: GroveProcess;
  /** A page of another port, which any name can show. */
  readonly site: OtherSite;
  readonly page: Page;
}

function showPage(_: IncomingMessage, response: ServerResponse): void {
  response.setHeader("Content-Type", "text/html");
  response.end("<!doctype html><title>Elsewhere</title><iframe name=sink></iframe>");
}

const ways = ["form", "no-cors", "cors", "beacon", "image", "script", "socket", "frame"] as const;
const targets = [
  ["POST", "/api/sessions"],
  ["GET", "/api/sessions"],
  ["GET", "/api/export"],
  ["POST", "/api/import"],
  ["DELETE", "/api/data"],
  ["GET", "/api/settings"],
  ["POST", "/api/unknown"],
] as const;

type Way = (typeof ways)[number];

async function attack(
  { grove, site, page }: Setting,
  { count, seed, signal, say }: DrillOptions,
): Promise<DrillResult> {
  const random = new Random(seed);
  const broken: string[] = [];
  const before = await stored(grove);
  const figures = { "with another name": 0, "from another site": 0, "answers read": 0 };
  const statusesSeen = await watchStatuses(page, grove);
  for (let number = 0; number < count && !signal.aborted; number++) {
    const [method, path] = random.of<(typeof targets)[number]>(targets);
    if (number % 4 === 0) {
      figures["with another name"]++;
      const host = foreignHost(random, grove);
      const status = await statusFor(`${grove.address}${path}`, { method, host });
      if (status < 400) broken.push(`${method} ${path} for “${host}”: ${status}`);
      continue;
    }
    figures["from another site"]++;
    const isRebound = number % 4 === 1;
    const port = isRebound ? new URL(grove.address).port : site.port;
    // The name of the page is the same for both: only the port tells Grove from it.
    if (number % 40 < 4) await page.goto(`http://${evil}:${site.port}/`);
    const origin = isRebound ? `http://${evil}:${port}` : grove.address;
    const way = random.of<Way>(ways);
    const said = await page.evaluate(tryToReach, { way, method, url: `${origin}${path}` });
    if (said !== "") {
      figures["answers read"]++;
      broken.push(`${way} ${method} ${path} at ${origin} read: ${said.slice(0, 80)}`);
    }
    if (number % 400 === 1) say(`${number} attempts`);
  }
  const direct = await page.goto(`http://${evil}:${new URL(grove.address).port}/`);
  if (direct?.status() !== 403) broken.push(`A rebound page was shown: ${direct?.status()}`);
  const statuses = statusesSeen();
  const passed = statuses.filter((status) => status < 400).length;
  if (passed > 0) broken.push(`${passed} requests of a page were not refused.`);
  if (statuses.length === 0) broken.push("No request of a page came to Grove.");
  if ((await stored(grove)) !== before) broken.push("Something was written.");
  return { broken, figures: { ...figures, "refused by Grove": statuses.length - passed } };
}

/**
 * Watches every answer of Grove to a page, frames apart. Read from the wire, because the browser hides another site's
 * answers from a page, and from tests of it.
 */
async function watchStatuses(page: Page, { address }: GroveProcess): Promise<() => number[]> {
  const { port } = new URL(address);
  const statuses = new Map<string, number>();
  const requests = new Set<string>();
  const wire = await page.context().newCDPSession(page);
  wire.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (new URL(request.url).port === port) requests.add(requestId);
  });
  wire.on("Network.responseReceivedExtraInfo", ({ requestId, statusCode }) => {
    statuses.set(requestId, statusCode);
  });
  await wire.send("Network.enable");
  return () => [...statuses].flatMap(([id, status]) => (requests.has(id) ? [status] : []));
}

async function stored({ address }: GroveProcess): Promise<string> {
  const counts = await callApi(`${address}/api/data`, { answer: z.unknown() });
  const sessions = await callApi(`${address}/api/sessions`, { answer: z.unknown() });
  return JSON.stringify([counts, sessions]);
}

function foreignHost(random: Random, { address }: GroveProcess): string {
  const { port } = new URL(address);
  return random.of([
    evil,
    `${evil}:${port}`,
    `127.0.0.1.${evil}:${port}`,
    `localhost.${evil}:${port}`,
    `localhost:${Number(port) + 1}`,
    `127.0.0.2:${port}`,
    `0.0.0.0:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `user@localhost:${port}`,
    `localhost:${port}.${evil}`,
    "",
  ]);
}

function statusFor(
  url: string,
  { method, host }: { method: string; host: string },
): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { host, "content-type": "application/json" };
    // An empty `Host` is sent, too.
    httpRequest(url, { method, headers, setHost: false }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    })
      .on("error", fail)
      .end(method === "GET" ? undefined : "{}");
  });
}

/** Runs in the foreign page. @returns what it could read, or `""`. */
async function tryToReach({
  way,
  method,
  url,
}: {
  way: Way;
  method: string;
  url: string;
}): Promise<string> {
  switch (way) {
    case "cors":
    case "no-cors":
      try {
        const body = method === "GET" ? null : "{}";
        // JSON and other methods take a preflight, which only "cors" has.
        const headers = { "Content-Type": way === "cors" ? "application/json" : "text/plain" };
        const sent = way === "cors" || method === "GET" ? method : "POST";
        const answer = await fetch(url, { method: sent, mode: way, headers, body });
        return await answer.text();
      } catch {
        return "";
      }
    case "beacon":
      navigator.sendBeacon(url, new Blob(["{}"], { type: "text/plain" }));
      return "";
    case "image":
    case "script":
    case "frame": {
      const tags = { image: "img", script: "script", frame: "iframe" } as const;
      const element = document.createElement(tags[way]);
      const isLoaded = await new Promise<boolean>((done) => {
        element.onload = () => done(true);
        element.onerror = () => done(false);
        element.src = url;
        document.body.append(element);
        setTimeout(done, 1_000, false);
      });
      try {
        // A frame is loaded with any answer: only its text tells anything.
        if (element instanceof HTMLIFrameElement)
          return element.contentDocument?.body.innerText ?? "";
        return isLoaded ? "loaded" : "";
      } catch {
        return "";
      } finally {
        element.remove();
      }
    }
    case "socket":
      return new Promise((done) => {
        const socket = new WebSocket(url.replace(/^http/, "ws"));
        socket.onopen = () => done("opened");
        socket.onerror = () => done("");
      });
    case "form": {
      const form = document.createElement("form");
      Object.assign(form, { action: url, method: "post", enctype: "text/plain", target: "sink" });
      document.body.append(form);
      form.submit();
      form.remove();
      return "";
    }
  }
}
