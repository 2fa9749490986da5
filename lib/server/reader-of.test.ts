import type { IncomingHttpHeaders } from "node:http";
import { expect, test } from "vitest";
import type { Reader } from "@/lib/chat/wire/reader";
import { withReader } from "./reader-of";

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
