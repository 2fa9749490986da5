import { expect, test } from "vitest";
import { unexportedTypes } from "./unexported-types";

const entry = [
  'import { $ as Options, n as Shown } from "./chunk-x1.js";',
  "interface Hidden { readonly near: Deeper; }",
  "interface Deeper {}",
  "interface Base { readonly kind: Kind; }",
  'type Kind = "Unused" | "b";',
  "interface Unused {}",
  "/** Takes an Unused. */",
  "export declare class Thing extends Base {",
  "  protected readonly own: Unused;",
  "  make(options: Options, shown: Shown): Promise<Hidden>;",
  "}",
  "interface Given {}",
  "declare function make<Made extends Thing>(made: Made, given: Given): Made;",
  "export { type Thing, Shown, make };",
].join("\n");
const chunk = [
  "interface Shown {}",
  "interface Options { readonly $count: number; }",
  "export { Options as $, Shown as n };",
].join("\n");

test("names each type of a public signature that no entry exports, also of types it leads to", () => {
  const texts = new Map([
    ["index.d.ts", entry],
    ["chunk-x1.d.ts", chunk],
  ]);
  expect(unexportedTypes(texts, ["index.d.ts"])).toEqual([
    "Deeper",
    "Given",
    "Hidden",
    "Kind",
    "Options",
  ]);
});
