import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, relative } from "node:path";
import send from "send";
import { commonHeaders, workerPolicy } from "./security-headers";

export const compressedKinds: Readonly<Record<string, string>> = {
  ".js": "application/javascript; charset=UTF-8",
  ".json": "application/json; charset=UTF-8",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".wasm": "application/wasm",
};

export const codings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;

const prefix = "/_next/static/";
const year = "365d";

export type StaticFiles = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Next would compress built files again at each request. Styles are left to Next: the first frame waits for them, and
 * one without its fonts would move. @param root `.next/static`, read once: a build has its own names.
 */
export function staticFiles(root: string): StaticFiles {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const built = new Set(
    files.map(({ parentPath, name }) => slashed(relative(root, join(parentPath, name)))),
  );
  return (request, response) => {
    const { method, url = "", headers } = request;
    if (!url.startsWith(prefix) || (method !== "GET" && method !== "HEAD")) return false;
    const name = decodeURIComponent(url.slice(prefix.length).split("?", 1)[0] ?? "");
    if (
      !built.has(name) ||
      name.endsWith(".css") ||
      codings.some(({ suffix }) => name.endsWith(suffix))
    )
      return false;
    const type = compressedKinds[extname(name)];
    const coding = codings.find(
      (each) => accepts(headers["accept-encoding"], each.name) && built.has(name + each.suffix),
    );
    if (coding) response.setHeader("Content-Encoding", coding.name);
    if (type) {
      response.setHeader("Content-Type", type);
      response.setHeader("Vary", "Accept-Encoding");
    }
    for (const { key, value } of fileHeaders) response.setHeader(key, value);
    send(request, encodeURIComponent(name + (coding?.suffix ?? "")), {
      root,
      immutable: true,
      maxAge: year,
      acceptRanges: false,
    }).pipe(response);
    return true;
  };
}

const fileHeaders = [...commonHeaders, { key: "Content-Security-Policy", value: workerPolicy }];

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}

function accepts(header: string | string[] | undefined, coding: string): boolean {
  return String(header ?? "")
    .split(",")
    .some((each) => {
      const [name, weight = "q=1"] = each.split(";").map((part) => part.trim().toLowerCase());
      return name === coding && Number(weight.slice("q=".length)) > 0;
    });
}
