import { expect, it } from "vitest";
import { fileNameOf } from "./download";

it("A title cut inside an emoji names a file that a header can hold", () => {
  const name = fileNameOf(`a${"😀".repeat(50)}`, "conversation");
  expect(name).toBe(`a${"😀".repeat(39)}`);
  expect(() => encodeURIComponent(name)).not.toThrow();
});
