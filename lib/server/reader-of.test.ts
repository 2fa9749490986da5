import type { IncomingHttpHeaders } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { type Reader, usForms } from "@/lib/chat/wire/reader";
import { withReader } from "./reader-of";

afterEach(() => vi.restoreAllMocks());

const shared = globalThis as { groveReader?: { getStore(): Reader | undefined } };

async function readerIn(headers: IncomingHttpHeaders): Promise<Reader | undefined> {
  return withReader(headers, async () => {
    await Promise.resolve();
    return shared.groveReader?.getStore();
  });
}

test("the zone is that of the cookie, and one that names no zone is left aside", async () => {
  const zoneOf = async (cookie: string) => (await readerIn({ cookie }))?.zone;
  expect(await zoneOf("a=1; grove-zone=Europe%2FBerlin; b=2")).toBe("Europe/Berlin");
  for (const odd of ["", "other-grove-zone=Europe%2FBerlin", "grove-zone=%", "grove-zone=Nowhere"])
    expect(await zoneOf(odd)).toBeUndefined();
});

test("requests at once are each rendered in the forms of their own reader", async () => {
  const languages = ["de", "en-US", "fr"];
  const read = languages.map((language) => readerIn({ "accept-language": language }));
  const decimals = (await Promise.all(read)).map((reader) => reader?.forms.decimal);
  expect(decimals).toEqual([",", ".", ","]);
});

test("forms and zone of a reader are made once, however many odd ones strangers send", async () => {
  for (let odd = 0; odd < 500; odd++) {
    await readerIn({ "accept-language": `qq-x-${odd}`, cookie: `grove-zone=Nowhere${odd}` });
    await readerIn({ "accept-language": `en-x-${odd}` });
  }
  const headers = { "accept-language": "pt", cookie: "grove-zone=Europe%2FLisbon" };
  const first = await readerIn(headers);
  const makes = [vi.spyOn(Intl, "DateTimeFormat"), vi.spyOn(Intl, "NumberFormat")];
  expect(await readerIn(headers)).toEqual(first);
  expect((await readerIn({ "accept-language": "pt-Latn-BR;q=0.9, en" }))?.forms).toBe(first?.forms);
  for (const make of makes) expect(make).not.toHaveBeenCalled();
});

test("a tag longer than languages have is read as none", async () => {
  const forms = async (tag: string) => (await readerIn({ "accept-language": tag }))?.forms;
  expect(await forms("de-DE-u-co-phonebk")).not.toEqual(usForms);
  expect(await forms(`de-x${"-abcdefgh".repeat(500)}`)).toBe(usForms);
});
