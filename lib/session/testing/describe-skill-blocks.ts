import { describe, expect, test } from "vitest";
import type { SkillProvider } from "../context-provider";
import type { MaybePromise } from "../session-provider";

export interface SkillSample {
  readonly key: string;
  readonly content: string;
  readonly description?: string;
}

/** Contract of any skill block. `make` returns one with exactly these skills. */
export function describeReadableSkills(
  name: string,
  make: (skills: readonly SkillSample[]) => MaybePromise<SkillProvider>,
): void {
  describe(`${name} meets the contract of skills that can be read:`, () => {
    test("is empty without entries", async () => {
      const block = await make([]);
      expect(await block.get()).toBeNull();
      expect(await block.load("style")).toBeNull();
    });

    test("lists keys with descriptions, in order, and loads whole documents", async () => {
      const block = await make([
        { key: "style", content: "Write short.", description: "Style guide" },
        { key: "deploy", content: "Push the button." },
        { key: "öl", content: "Ölwechsel: 40.000 km — 機械", description: "Für das Öl" },
      ]);
      expect(await block.get()).toBe("- deploy\n- style: Style guide\n- öl: Für das Öl");
      expect(await block.load("style")).toBe("Write short.");
      expect(await block.load("öl")).toBe("Ölwechsel: 40.000 km — 機械");
      expect(await block.load("nowhere")).toBeNull();
    });

    test.each([
      "",
      "/",
      "..",
      ".",
      "../style",
      "style/..",
      "style/../style",
      "./style",
      "//style",
      "style/",
      "STYLE\0",
      "..\\style",
    ])("knows nothing of the key %j", async (key) => {
      const block = await make([{ key: "style", content: "Write short." }]);
      expect(await block.load(key)).toBeNull();
    });
  });
}

/** Contract of a writable skill block. `make` returns one without skills. */
export function describeWritableSkills(
  name: string,
  make: () => MaybePromise<Required<Omit<SkillProvider, "init">>>,
): void {
  describe(`${name} meets the contract of skills that can be written:`, () => {
    test("lists and loads what was written, and keeps a description until another is given", async () => {
      const block = await make();
      expect(await block.get()).toBeNull();
      await block.set("style", "Write short.", "Style guide – für alle");
      await block.set("deploy", "Push the button.");
      expect(await block.get()).toBe("- deploy\n- style: Style guide – für alle");
      await block.set("style", "Write shorter.");
      expect(await block.load("style")).toBe("Write shorter.");
      expect(await block.get()).toBe("- deploy\n- style: Style guide – für alle");
      await block.set("style", "Write shortest.", "Guide");
      expect(await block.get()).toBe("- deploy\n- style: Guide");
    });

    test("clears a description by an empty one, for good", async () => {
      const block = await make();
      await block.set("style", "Write short.", "Guide");
      await block.set("style", "Write short.", "");
      expect(await block.get()).toBe("- style");
      await block.set("style", "Write shorter.");
      expect(await block.get()).toBe("- style");
    });
  });
}
