import { expect, it } from "vitest";
import { matchingCommands, readCommand, refusalOf } from "./slash-command";

const names = (draft: string) => matchingCommands(draft, "path").map(({ name }) => name);

it("offers commands only while a name is being typed", () => {
  expect(names("/")).toEqual(["compact", "fork", "find", "search", "new"]);
  expect(names("/co")).toEqual(["compact"]);
  expect(names("/compact ")).toEqual([]);
  expect(names("see /co")).toEqual([]);
});

it("offers only what does something where it is typed, and says why the rest does not", () => {
  const offered = matchingCommands("/", "new-chat").map(({ name }) => name);
  expect(offered).toEqual(["search", "new"]);
  expect(refusalOf("compact", "new-chat")).toBe("Nothing to summarize yet.");
  expect(refusalOf("find", "beginning")).toBeNull();
  expect(refusalOf("fork", "path")).toBeNull();
});

it("reads a command with what follows it", () => {
  expect(readCommand("/search  old trees ")).toEqual({ name: "search", argument: "old trees" });
  expect(readCommand("/new")).toEqual({ name: "new", argument: "" });
});

it("takes everything else for a message", () => {
  expect(readCommand("/etc/hosts is a file")).toBeNull();
  expect(readCommand("/unknown")).toBeNull();
  expect(readCommand("hello")).toBeNull();
});
