import { expect, test } from "vitest";
import { type AttachedFile, filesPushedOut, withholding } from "./files";

const takes = { images: true, pdfs: true };

function image(name: string, megabytes: number): AttachedFile {
  return { name, sha256: "0".repeat(64), mediaType: "image/png", size: megabytes * 1_000_000 };
}

function reasons(files: readonly AttachedFile[]): (string | null)[] {
  return files.map(withholding(takes));
}

test("gives a model the first files that fit a request together, and names the rest", () => {
  expect(reasons([image("a", 13), image("b", 12), image("c", 11)])).toEqual([
    null,
    "newer files of this chat fill the 24 MB of a request",
    null,
  ]);
});

test("says that a file alone is too large for a request, and gives the others", () => {
  expect(reasons([image("a", 25), image("b", 1)])).toEqual([
    "it is larger than the 24 MB of a request",
    null,
  ]);
});

test("names the earlier files that those of a draft push out of a request, and no others", () => {
  const earlier = [image("newer", 10), image("older", 12), image("never", 25)];
  const pushedOut = (...megabytes: number[]) =>
    filesPushedOut(takes, { draft: megabytes.map((size) => image("draft", size)), earlier }).map(
      ({ name }) => name,
    );
  expect(pushedOut()).toEqual([]);
  expect(pushedOut(1)).toEqual([]);
  expect(pushedOut(5)).toEqual(["older"]);
  expect(pushedOut(12, 12)).toEqual(["newer", "older"]);
});
