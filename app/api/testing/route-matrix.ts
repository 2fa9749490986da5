import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * People whom a route serves. `open`: everybody, and it reveals nobody. `door`: people on their way in, whom a limit
 * holds up. `person`: people who are signed in, and only their own data. `page`: the same, for a browser that is sent
 * to the door. `key`, `token`: programs, with any cookie or none.
 */
export type Access = "open" | "door" | "person" | "administrator" | "page" | "key" | "token";

export interface FoundRoute {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly file: string;
  readonly isPage: boolean;
}

const methods = ["DELETE", "GET", "PATCH", "POST", "PUT"];
const root = join(import.meta.dirname, "../../..");

/** Reads every page and handler off the folder that Next builds them from. */
export async function foundRoutes(): Promise<FoundRoute[]> {
  const found: FoundRoute[] = [];
  for await (const file of glob(join("app", "**", "{route.ts,page.tsx}"), { cwd: root })) {
    const isPage = file.endsWith("page.tsx");
    const source = isPage ? "" : await readFile(join(root, file), "utf8");
    const path = pathOf(file);
    for (const method of isPage ? ["GET"] : exportedMethods(source))
      found.push({ name: `${method} ${path}`, method, path, file, isPage });
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** `app/s/[sessionId]/page.tsx` is `/s/:sessionId`, and `[...path]` is `:path*`. */
function pathOf(file: string): string {
  const path = file.replace(/^app/, "").replace(/\/(route\.ts|page\.tsx)$/, "");
  return path.replace(/\[\.\.\.(\w+)\]/g, ":$1*").replace(/\[(\w+)\]/g, ":$1") || "/";
}

function exportedMethods(source: string): string[] {
  const exported = source.match(/^export (?:const|async function|function|\{)[^=(;]*/gm) ?? [];
  return methods.filter((method) =>
    exported.some((each) => new RegExp(`\\b${method}\\b`).test(each)),
  );
}

const doors =
  /^(POST \/api\/account\/(sign-in|invite|accept)\b|GET \/sign-in\/oidc\/callback\/|GET \/oauth2\/authorize$|POST \/oauth2\/(token|register|revoke)$|GET \/(sign-in|welcome)$)/;
const open =
  /^(GET \/(\.well-known\/:path\*|live|ready|preview|preview\/mermaid\.js|api\/health)|(GET|POST) \/shared\/:token|POST \/api\/account\/sign-out)$/;

export function accessOf({ name, path, isPage }: FoundRoute): Access | null {
  if (doors.test(name)) return "door";
  if (open.test(name)) return "open";
  if (name === "GET /metrics") return "token";
  if (path === "/mcp" || path.startsWith("/v1/")) return "key";
  if (isPage) return pages.has(path.replace(/^\/p\/:spaceId/, "") || "/") ? "page" : null;
  if (/^\/api\/(people|backups|settings\/house)\b/.test(path)) return "administrator";
  if (path.startsWith("/api/") || name === "GET /sign-in/callback") return "person";
  return null;
}

const pages = new Set([
  "/",
  "/connect",
  "/join/:token",
  "/removed",
  "/s/:sessionId",
  "/s/:sessionId/compare",
  "/settings",
  "/shared/:token/copy",
  "/usage",
]);

/** Routes that would end the account, or the session, with which the others are asked. */
export const ofOneself =
  /^(DELETE \/api\/account$|\w+ \/api\/data|POST \/api\/example|POST \/api\/import|POST \/api\/account\/sign-out|POST \/api\/backups)/;

export type Ids = Readonly<Record<string, string>>;

const usual: Ids = { sessionId: "s", messageId: "m", sha256: "0".repeat(64) };

export function filled(
  pattern: string,
  ids: Ids = {},
): { path: string; params: Record<string, string | string[]> } {
  const params: Record<string, string | string[]> = {};
  const path = pattern.replace(/:(\w+)(\*?)/g, (_, name: string, star: string) => {
    const id = ids[name] ?? usual[name] ?? "x";
    params[name] = star === "" ? id : [id];
    return id;
  });
  return { path, params };
}

const bodies: Readonly<Record<string, unknown>> = {
  "POST /api/sessions/:sessionId/messages": {
    id: "m2",
    parts: [{ type: "text", text: "Hello" }],
    generate: false,
  },
  "PATCH /api/sessions/:sessionId": { title: "Mine now" },
  "PATCH /api/sessions/:sessionId/messages/:messageId": { label: "Mine now" },
  "DELETE /api/sessions/:sessionId/messages": { ids: ["m"] },
  "POST /api/sessions/:sessionId/fork": { messageId: "m" },
  "PATCH /api/settings": { memoryMode: "off" },
  "POST /api/projects": { id: "p-00000000-0000-4000-8000-000000000001", name: "Tea" },
  "POST /v1/conversations/:conversationId/items": {
    items: [{ type: "message", role: "user", content: "Hello" }],
  },
  "POST /mcp": { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
};

export function bodyFor(name: string): unknown {
  return bodies[name] ?? {};
}

export function contentTypeFor(name: string): string {
  if (name === "POST /api/import") return "application/x-ndjson";
  return name === "POST /api/files" ? "application/octet-stream" : "application/json";
}
