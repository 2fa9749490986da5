import { expect, it } from "vitest";
import { matchingCommands, readCommand, slashCommands } from "./slash-command";

const names = (draft: string) => matchingCommands(draft, slashCommands).map(({ name }) => name);

it("offers commands only while a name is being typed", () => {
  expect(names("/")).toEqual(["compact", "fork", "find", "search", "new"]);
  expect(names("/co")).toEqual(["compact"]);
  expect(names("/compact ")).toEqual([]);
  expect(names("see /co")).toEqual([]);
});

it("reads a command with what follows it", () => {
  expect(readCommand("/search  old trees ", slashCommands)).toEqual({
    name: "search",
    argument: "old trees",
  });
  expect(readCommand("/new", slashCommands)).toEqual({ name: "new", argument: "" });
});

it("takes everything else for a message", () => {
  expect(readCommand("/etc/hosts is a file", slashCommands)).toBeNull();
  expect(readCommand("/unknown", slashCommands)).toBeNull();
  expect(readCommand("hello", slashCommands)).toBeNull();
});
