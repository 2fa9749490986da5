import { expect, test } from "vitest";
import { secretHiding } from "@/lib/llm";
import { LastLines } from "./last-lines";

const key = "the-key-of-a-server-0123456789";
const hide = secretHiding([key]);

function linesOf(...pieces: readonly string[]): string[] {
  const lines = new LastLines();
  for (const piece of pieces) lines.add(piece);
  return lines.read(hide);
}

test("are the last twelve of a program, cut to 300 characters and without colours", () => {
  const written = Array.from({ length: 40 }, (_, n) => `\u001b[31mline ${n}\u001b[0m\r\n`);
  expect(linesOf(...written)).toEqual(Array.from({ length: 12 }, (_, n) => `line ${n + 28}`));
  expect(linesOf("x".repeat(500))).toEqual(["x".repeat(300)]);
});

test("hold no key, also where the output was cut within it", () => {
  expect(linesOf(`Using ${key.slice(0, 9)}`, `${key.slice(9)}\n`)).toEqual(["Using [hidden]"]);
  for (let cut = 1; cut < key.length; cut++) {
    const shown = linesOf(`${key}\n`.padEnd(24_000 + cut, "word "), "\nend\n").join("\n");
    expect(shown).not.toContain(key.slice(-5));
    expect(shown).toContain("end");
  }
});
