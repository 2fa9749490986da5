import { expect, test } from "vitest";
import { linesForAllChats } from "./lines-for-all-chats";

test("keeps the lines of an export that are about all chats, whatever their order of fields", async () => {
  const lines = [
    '{"type":"grove-export","format":1}',
    '{"type":"settings","defaultModel":null}',
    '{"scope":"","type":"block","label":"plans"}',
    '{"type":"document","scope":""}',
    '{"type":"version","content":"Ü\\n"}',
    '{"type":"session","id":"s"}',
    '{"type":"document","scope":"s"}',
    '{"type":"version"}',
    '{"type":"session-end"}',
    '{"type":"message"}',
    "no JSON",
    '{"type":"document","scope":"","key":"late"}',
    '{"type":"usage"}',
    '{"type":"end"}',
  ];
  const kept = await (await linesForAllChats(new Blob([lines.join("\n")]))).text();
  expect(kept.split("\n")).toEqual([...lines.slice(0, 5), ...lines.slice(11, 12), lines[13], ""]);
});

test("keeps the first line of a file that is no export, for the server to refuse it", async () => {
  const kept = await linesForAllChats(new Blob(["Not an export\n{}"]));
  expect(await kept.text()).toBe("Not an export\n");
});
