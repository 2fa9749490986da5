import { expect, it } from "vitest";
import { PatternsMissingError } from "./colour-lines";
import { createCompilingEngine } from "./grammars";

it("names the patterns that are not compiled, and finds with them once they are", () => {
  const { engine, compile } = createCompilingEngine();
  compile("a+");
  let missing: readonly string[] = [];
  try {
    engine.createScanner(["a+", "b+"]);
  } catch (error) {
    if (error instanceof PatternsMissingError) missing = error.patterns;
  }
  expect(missing).toEqual(["b+"]);

  compile("b+");
  const found = engine
    .createScanner(["a+", "b+"])
    .findNextMatchSync(engine.createString("xbbaa"), 0, 0);
  expect(found).toMatchObject({ index: 1, captureIndices: [{ start: 1, end: 3 }] });
});

it("leaves out a pattern that cannot be compiled", () => {
  const { engine, compile } = createCompilingEngine();
  compile("(");
  compile("b");
  const found = engine.createScanner(["(", "b"]).findNextMatchSync(engine.createString("b"), 0, 0);
  expect(found).toMatchObject({ index: 1 });
});
