import { afterEach, expect, test, vi } from "vitest";
import { citedFile } from "./cited-files";

afterEach(() => vi.unstubAllGlobals());

test("asks for the files of one moment in one request, 50 at most, and later again", async () => {
  const requests: string[][] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const ids = new URL(address, "http://grove").searchParams.get("of")?.split(",") ?? [];
    requests.push(ids);
    const files = ids.filter((id) => id !== "gone").map((asked) => ({ asked, sha256: asked }));
    return Response.json({ files });
  });
  const found = await Promise.all(["a", "b", "gone", "a"].map(citedFile));
  expect(found.map((file) => file?.sha256 ?? null)).toEqual(["a", "b", null, "a"]);
  expect(requests).toEqual([["a", "b", "gone"]]);
  await Promise.all(Array.from({ length: 51 }, (_, n) => citedFile(`n${n}`)));
  expect(requests.slice(1).map(({ length }) => length)).toEqual([50, 1]);
  vi.stubGlobal("fetch", async () =>
    Response.json({ error: { code: "x", message: "No." } }, { status: 500 }),
  );
  await expect(citedFile("a")).rejects.toThrow();
});
