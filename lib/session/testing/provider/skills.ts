import { describe, expect, test } from "vitest";
import { assistant, dynamicToolCall, toolCall, user } from "../builders";
import type { MakeProvider } from "./make-provider";

const guide = { label: "skills", key: "guide" };
const recipe = { label: "skills", key: "recipe" };
const load = (skill: object, output: unknown = "the document") =>
  toolCall("load_context", skill, output);
const unload = (skill: object, output: unknown = 'Unloaded "guide" from skills.') =>
  dynamicToolCall("unload_context", skill, output);
const refusal = { outcome: "refused", reason: "Not found: guide" };

export function skillGuarantees(make: MakeProvider): void {
  describe("loaded skills", () => {
    test("come from static and dynamic tool parts, in order of loading", async () => {
      const provider = await make();
      await provider.appendMessage(user("q1"));
      await provider.appendMessage(assistant("a1", "", load(recipe)));
      const dynamic = dynamicToolCall("load_context", { block: "skills", key: "guide" }, "doc");
      await provider.appendMessage(assistant("a2", "", dynamic));
      expect(await provider.getLoadedSkills()).toEqual([recipe, guide]);
      expect(await provider.getLoadedSkills("a1")).toEqual([recipe]);
      expect(await provider.getLoadedSkills("nowhere")).toEqual([]);
    });

    test("are removed when unloaded and return when loaded again", async () => {
      const provider = await make();
      await provider.appendMessage(assistant("a1", "", load(guide), unload(guide)));
      expect(await provider.getLoadedSkills()).toEqual([]);
      await provider.appendMessage(assistant("a2", "", load(guide)));
      expect(await provider.getLoadedSkills()).toEqual([guide]);
    });

    test("of a transcript from elsewhere are not those that it says were unloaded", async () => {
      const provider = await make();
      const gone = load(guide, "[skill unloaded: guide]");
      await provider.appendMessage(assistant("a1", "", gone, load(recipe)));
      expect(await provider.getLoadedSkills()).toEqual([recipe]);
    });

    test("are not changed by calls that failed", async () => {
      const provider = await make();
      await provider.appendMessage(assistant("a1", "", load(guide, refusal)));
      const running = { ...load(guide), state: "input-available" };
      await provider.appendMessage(assistant("a2", "", running));
      expect(await provider.getLoadedSkills()).toEqual([]);
      await provider.appendMessage(assistant("a3", "", load(guide)));
      await provider.appendMessage(assistant("a4", "", unload(guide, refusal)));
      expect(await provider.getLoadedSkills()).toEqual([guide]);
    });

    test("are loaded by documents that begin like an error", async () => {
      const provider = await make();
      await provider.appendMessage(assistant("a1", "", load(guide, "Error: codes and meanings")));
      await provider.appendMessage(assistant("a2", "", load(recipe, "Not found pages, a guide")));
      expect(await provider.getLoadedSkills()).toEqual([guide, recipe]);
    });

    test("are per branch", async () => {
      const provider = await make();
      await provider.appendMessage(user("q1"));
      await provider.appendMessage(assistant("a1", "", load(guide)));
      await provider.appendMessage(assistant("b1", "", load(recipe)), "q1");
      expect(await provider.getLoadedSkills()).toEqual([recipe]);
      expect(await provider.getLoadedSkills("a1")).toEqual([guide]);
    });

    test("stay loaded under a summary and leave with a deleted message", async () => {
      const provider = await make();
      await provider.appendMessage(user("q1"));
      await provider.appendMessage(assistant("a1", "", load(guide)));
      await provider.appendMessage(user("q2"));
      await provider.addCompaction("S", "q1", "a1");
      expect(await provider.getLoadedSkills()).toEqual([guide]);
      await provider.deleteMessages(["a1"]);
      expect(await provider.getLoadedSkills()).toEqual([]);
    });

    test("follow an updated message", async () => {
      const provider = await make();
      await provider.appendMessage(assistant("a1"));
      await provider.updateMessage(assistant("a1", "", load(guide)));
      expect(await provider.getLoadedSkills()).toEqual([guide]);
    });

    test("loaded by a person before the first message count on every path, until they are unloaded", async () => {
      const provider = await make();
      await provider.recordSkillEvent(guide, "load");
      await provider.recordSkillEvent(recipe, "load");
      expect(await provider.getLoadedSkills()).toEqual([guide, recipe]);
      await provider.recordSkillEvent(recipe, "unload");
      await provider.appendMessage(user("q1"));
      await provider.appendMessage(user("other root"), null);
      expect(await provider.getLoadedSkills("q1")).toEqual([guide]);
      expect(await provider.getLoadedSkills()).toEqual([guide]);
      await provider.recordSkillEvent(guide, "unload");
      expect(await provider.getLoadedSkills()).toEqual([]);
      await provider.clearMessages();
      expect(await provider.getLoadedSkills()).toEqual([]);
    });

    test("can be loaded and unloaded by a person at the active leaf", async () => {
      const provider = await make();
      await provider.appendMessage(user("q1"));
      await provider.appendMessage(assistant("a1", "", load(guide)));
      await provider.recordSkillEvent(guide, "unload");
      await provider.recordSkillEvent(recipe, "load");
      expect(await provider.getLoadedSkills()).toEqual([recipe]);
      await provider.appendMessage(user("q2"));
      expect(await provider.getLoadedSkills()).toEqual([recipe]);
      expect(await provider.getLoadedSkills("q1")).toEqual([]);
    });
  });
}
