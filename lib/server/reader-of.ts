import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { RecentMap } from "@/lib/chat/core/recent-map";
import { type Reader, type ReaderForms, usForms, zoneCookie } from "@/lib/chat/wire/reader";
import { formsOf, localeOf } from "@/lib/chat/wire/reader-forms";

// The page's modules exist more than once in a server.
const shared = globalThis as typeof globalThis & { groveReader?: AsyncLocalStorage<Reader> };

export function withReader<T>(headers: IncomingHttpHeaders, render: () => T): T {
  shared.groveReader ??= new AsyncLocalStorage();
  return shared.groveReader.run(readerOf(headers), render);
}

const formsByLocale = new RecentMap<string, ReaderForms>({ most: 200 });
const zonesByName = new RecentMap<string, string>({ most: 200 });

function readerOf(headers: IncomingHttpHeaders): Reader {
  return { forms: formsFor(headers["accept-language"]), zone: zoneIn(headers.cookie) };
}

function formsFor(acceptLanguage: string | undefined): ReaderForms {
  const locale = localeOf(acceptLanguage);
  if (locale === null) return usForms;
  const forms = formsByLocale.get(locale) ?? formsOf(locale);
  formsByLocale.set(locale, forms);
  return forms;
}

function zoneIn(cookies = ""): string | undefined {
  const [, name] = new RegExp(`(?:^|; *)${zoneCookie}=([^;]*)`).exec(cookies) ?? [];
  if (name === undefined) return undefined;
  const known = zonesByName.get(name);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat("en", { timeZone: decodeURIComponent(name) });
    const { timeZone } = format.resolvedOptions();
    zonesByName.set(name, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}
