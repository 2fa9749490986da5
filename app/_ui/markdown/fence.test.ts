import { expect, it } from "vitest";
import { readFence } from "./fence";

it("reads language and code of a closed block", () => {
  expect(readFence("```ts title=x\nconst a = 1;\n\nb();\n```\n")).toEqual({
    language: "ts",
    code: "const a = 1;\n\nb();",
    isClosed: true,
  });
});

it("reads a block whose end has not arrived", () => {
  expect(readFence("```py\nprint(1)\n")).toEqual({
    language: "py",
    code: "print(1)",
    isClosed: false,
  });
  expect(readFence("```")).toEqual({ language: "", code: "", isClosed: false });
});

it("keeps shorter and other fences inside", () => {
  expect(readFence("````md\n```js\na\n```\n````")?.code).toBe("```js\na\n```");
  expect(readFence("~~~\n```\n~~~")?.code).toBe("```");
});

it("leaves everything else to the parser", () => {
  expect(readFence("text ```code``` text")).toBeNull();
  expect(readFence("```code``` inline")).toBeNull();
  expect(readFence("    ```\n    indented")).toBeNull();
});
