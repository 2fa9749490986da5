import { expect, it } from "vitest";
import { isolated } from "./isolated";

it("leaves a name that is written from the left as it is", () => {
  expect(isolated("Zürich 森 – 42")).toBe("Zürich 森 – 42");
});

it("encloses a name that is written from the right", () => {
  expect(isolated("שלום")).toBe("\u2068שלום\u2069");
});

it("drops marks that would reach the words around it", () => {
  expect(isolated("a\u202egpj.exe\u2069")).toBe("agpj.exe");
});
