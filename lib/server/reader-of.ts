import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { type Reader, zoneCookie } from "@/lib/chat/wire/reader";
import { formsOf } from "@/lib/chat/wire/reader-forms";

// The page's modules exist more than once in a server, and take no argument for whom they render.
const shared = globalThis as typeof globalThis & { groveReader?: AsyncLocalStorage<Reader> };

/** Lets `app/_ui/reader.ts` know the reader while a page is rendered for `headers`. */
export function withReader<T>(headers: IncomingHttpHeaders, render: () => T): T {
  shared.groveReader ??= new AsyncLocalStorage();
  return shared.groveReader.run(readerOf(headers), render);
}

function readerOf(headers: IncomingHttpHeaders): Reader {
  return { forms: formsOf(headers["accept-language"]), zone: zoneIn(headers.cookie) };
}

function zoneIn(cookies = ""): string | undefined {
  const [, name] = new RegExp(`(?:^|; *)${zoneCookie}=([^;]*)`).exec(cookies) ?? [];
  if (name === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(name) }).resolvedOptions()
      .timeZone;
  } catch {
    return undefined;
  }
}
