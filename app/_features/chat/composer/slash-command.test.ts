import { expect, it } from "vitest";
import {
  matchingAssistants,
  matchingCommands,
  namedAssistant,
  readCommand,
  refusalOf,
} from "./slash-command";

const names = (draft: string) => matchingCommands(draft, "path").map(({ name }) => name);

it("offers commands only while a name is being typed", () => {
  expect(names("/")).toEqual(["compact", "branch", "find", "search", "new"]);
  expect(names("/co")).toEqual(["compact"]);
  expect(names("/compact ")).toEqual([]);
  expect(names("see /co")).toEqual([]);
});

it("offers only what does something where it is typed, and says why the rest does not", () => {
  const offered = matchingCommands("/", "new-chat").map(({ name }) => name);
  expect(offered).toEqual(["search", "new"]);
  expect(refusalOf("compact", "new-chat")).toBe("Nothing to summarize yet.");
  expect(refusalOf("find", "beginning")).toBeNull();
  expect(refusalOf("branch", "path")).toBeNull();
});

it("reads a command with what follows it", () => {
  expect(readCommand("/search  old trees ")).toEqual({ name: "search", argument: "old trees" });
  expect(readCommand("/new")).toEqual({ name: "new", argument: "" });
});

it("reads a command by a name that it had", () => {
  expect(readCommand("/fork")).toEqual({ name: "branch", argument: "" });
});

it("takes everything else for a message", () => {
  expect(readCommand("/etc/hosts is a file")).toBeNull();
  expect(readCommand("/unknown")).toBeNull();
  expect(readCommand("hello")).toBeNull();
});

const assistants = [assistant("Careful"), assistant("Careful 2"), assistant("Broken", "Line 2")];

function assistant(name: string, problem: string | null = null) {
  return { key: name.toLowerCase(), version: 1, name, description: `${name}.`, problem };
}

it("reads the assistant named at the beginning, in any case, the longest name first", () => {
  const named = (draft: string) => {
    const found = namedAssistant(draft, assistants);
    return found && [found.assistant.name, found.text];
  };
  expect(named("@careful write\nthis")).toEqual(["Careful", "write\nthis"]);
  expect(named("@Careful 2 write")).toEqual(["Careful 2", "write"]);
  for (const draft of ["@careful", "@broken write", " @careful write", "ask @careful now"])
    expect(named(draft)).toBeNull();
});

it("offers assistants that can be asked while a name is typed after @", () => {
  const offered = (draft: string) => matchingAssistants(draft, assistants).map(({ name }) => name);
  expect(offered("@")).toEqual(["Careful", "Careful 2"]);
  expect(offered("@CAREFUL 2")).toEqual(["Careful 2"]);
  for (const draft of ["@b", "careful", "@careful\n"]) expect(offered(draft)).toEqual([]);
});
