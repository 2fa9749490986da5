import { randomUUID } from "node:crypto";
import { test as base } from "vitest";
import "./expectations";
import { siteAddress } from "./page-environment";
import { serve } from "./server";
import { StoryPage } from "./story-page";

interface Sent {
  /** A text is sent as it is. */
  readonly data?: unknown;
  readonly headers?: Record<string, string>;
  readonly params?: Record<string, string>;
}

/** Asks the server as the owner of the story, beside the page. */
export interface StoryRequest {
  get(path: string, sent?: Sent): Promise<StoryAnswer>;
  post(path: string, sent?: Sent): Promise<StoryAnswer>;
  put(path: string, sent?: Sent): Promise<StoryAnswer>;
  patch(path: string, sent?: Sent): Promise<StoryAnswer>;
  delete(path: string, sent?: Sent): Promise<StoryAnswer>;
}

export interface StoryAnswer {
  status(): number;
  ok(): boolean;
  text(): Promise<string>;
  json<T>(): Promise<T>;
}

/** Runs each story with an owner, data and a page of its own. */
export const test = base.extend<{ owner: string; page: StoryPage; request: StoryRequest }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of what a fixture uses
  owner: ({}, use) => use(`story-${randomUUID()}`),
  page: async ({ owner }, use) => {
    const page = new StoryPage(owner);
    await use(page);
    await page.close();
  },
  request: ({ owner }, use) => use(requestOf(owner)),
});

function requestOf(owner: string): StoryRequest {
  const send = async (
    method: string,
    path: string,
    { data, headers: given, params = {} }: Sent = {},
  ) => {
    const url = new URL(path, siteAddress);
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    const text = typeof data === "string" ? data : JSON.stringify(data);
    const body = data === undefined ? {} : { body: text };
    const headers = { "content-type": "application/json", ...given };
    const response = await serve(new Request(url, { method, headers, ...body }), owner);
    const answer = await response.text();
    return {
      status: () => response.status,
      ok: () => response.ok,
      text: async () => answer,
      json: async <T>() => JSON.parse(answer) as T,
    };
  };
  return {
    get: (path, sent) => send("GET", path, sent),
    post: (path, sent) => send("POST", path, sent),
    put: (path, sent) => send("PUT", path, sent),
    patch: (path, sent) => send("PATCH", path, sent),
    delete: (path, sent) => send("DELETE", path, sent),
  };
}
