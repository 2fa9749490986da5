import { join } from "node:path";
import { foundRoutes } from "@/app/api/testing/route-matrix";
import { addressInSpace, spaceHeader } from "@/lib/server/access";
import { testOwnerCookie } from "@/lib/server/owner-of";
import { startTestServices, type TestServices } from "@/lib/server/testing/test-services";
import { siteAddress } from "./page-environment";

type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

interface Place {
  readonly method: string;
  readonly pattern: RegExp;
  readonly file: string;
}

const root = join(import.meta.dirname, "../../..");

/** A bucket of skills where nobody listens. */
export const closedBucket = {
  GROVE_SKILLS_S3_ENDPOINT: "http://127.0.0.1:9",
  GROVE_SKILLS_S3_BUCKET: "closed",
  GROVE_SKILLS_S3_ACCESS_KEY_ID: "AKIDOFTHISTEST",
  GROVE_SKILLS_S3_SECRET_ACCESS_KEY: "a-secret-nobody-may-see",
};

interface Started {
  readonly served: TestServices;
  readonly places: readonly Place[];
}

// One database for all stories of a process: each has an owner of its own.
let started: Promise<Started> | null = null;

/** Serves the stories of a file from a database and an environment of their own, until `endServer`. */
export async function startServer(environment: Record<string, string>): Promise<TestServices> {
  await endServer();
  started = start(environment);
  return (await started).served;
}

export async function endServer(): Promise<void> {
  const { served } = (await started) ?? {};
  started = null;
  await served?.end();
}

async function start(environment: Record<string, string> = {}): Promise<Started> {
  const { port, hostname } = new URL(siteAddress);
  const served = await startTestServices({
    PORT: port,
    HOST: hostname,
    GROVE_TEST_OWNERS: "1",
    GROVE_DEMO_DELAY_MS: "1",
    ...environment,
  });
  const routes = (await foundRoutes()).filter(({ isPage }) => !isPage);
  const places = routes
    .sort((one, other) => generality(one.path) - generality(other.path))
    .map(({ method, path, file }) => ({ method, file, pattern: patternOf(path) }));
  return { served, places };
}

/** Answers a page of this owner. */
export function serve(request: Request, owner: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("cookie", `${testOwnerCookie}=${owner}`);
  headers.set("sec-fetch-site", "same-origin");
  return answer(new Request(request, { headers }));
}

/** Stands in for `fetch` of a program, which has a key. */
export const programFetch: typeof fetch = (input, init) => answer(new Request(input, init));

/** Route handlers of `app` answer in this process. */
async function answer(request: Request): Promise<Response> {
  started ??= start();
  const { target, space } = addressInSpace(new URL(request.url).pathname);
  for (const { method, pattern, file } of (await started).places) {
    const found = method === request.method ? pattern.exec(target) : null;
    if (!found) continue;
    const handler = ((await import(join(root, file))) as Record<string, Handler>)[method];
    const params = Object.entries(found.groups ?? {}).map(
      ([name, value]) => [name, decodeURIComponent(value)] as const,
    );
    const headers = new Headers(request.headers);
    headers.set("host", new URL(siteAddress).host);
    headers.delete(spaceHeader);
    if (space !== null) headers.set(spaceHeader, space);
    return (
      handler?.(new Request(request, { headers }), {
        params: Promise.resolve(Object.fromEntries(params)),
      }) ?? new Response(null, { status: 405 })
    );
  }
  return new Response(null, { status: 404 });
}

/** A path that names more of an address comes first. */
function generality(path: string): number {
  return (path.match(/:/g)?.length ?? 0) + (path.endsWith("*") ? 100 : 0);
}

function patternOf(path: string): RegExp {
  const pattern = path.replace(/:(\w+)(\*?)/g, (_, name: string, all: string) =>
    all ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  );
  return new RegExp(`^${pattern}$`);
}
