import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright";
import { findChromium } from "@/e2e/support/chromium";

/** `resolves` maps names to addresses, as a hostile name server can. */
export async function withBrowser<Result>(
  use: (browser: Browser) => Promise<Result>,
  { resolves = [] }: { resolves?: readonly string[] } = {},
): Promise<Result> {
  const { executablePath, args = [], env } = await findChromium();
  const given = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const rules = resolves.map((name) => `MAP ${name} 127.0.0.1`).join(",");
  const browser = await chromium.launch({
    executablePath,
    args: rules === "" ? args : [...args, `--host-resolver-rules=${rules}`],
    env: { ...Object.fromEntries(given), ...env },
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

export interface OtherSite {
  readonly url: string;
  readonly port: number;
}

export async function withOtherSite<Result>(
  answer: RequestListener,
  use: (site: OtherSite) => Promise<Result>,
): Promise<Result> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    return await use({ url: `http://127.0.0.1:${port}`, port });
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}
