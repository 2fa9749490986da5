import { describe, expect, test } from "vitest";
import { filesOf } from "./chat-records";
import { withLinks } from "./chatgpt-citations";
import { heldFile } from "./content-parts";
import { foundIn, jsonFile, outline } from "./testing/found-in";

const pixel = "data:image/png;base64,iVBORw0KGgo=";

async function lossesOf(value: unknown): Promise<readonly string[]> {
  const [found] = await foundIn(jsonFile(value));
  return found?.type === "chat" ? found.chat.losses : [];
}

const lost = (kind: string) => `Content of the kind “${kind}” is not imported.`;
const openWebUi = (message: object) => [
  { id: "o", chat: { history: { messages: { a: { role: "user", timestamp: 1e9, ...message } } } } },
];

describe("content that cannot be taken is named", () => {
  const hello = { type: "text", text: "Hello" };

  test.each([
    ["its content", { content: [hello, { type: "video" }] }, "video"],
    ["its output", { content: "Hello", output: [{ type: "web_search_call" }] }, "web_search_call"],
  ])("in a chat of Open WebUI, in %s", async (_, message, kind) => {
    expect(await lossesOf(openWebUi(message))).toEqual([lost(kind)]);
  });

  test("in a list of messages, pictures behind links included", async () => {
    const link = { type: "image_url", image_url: { url: "https://pictures.example/x.png" } };
    const messages = [{ role: "user", createdAt: 1e12, content: [hello, link, 7] }];
    expect(await lossesOf({ messages })).toEqual([lost("image_url"), lost("unknown")]);
  });
});

describe("a picture that a chat holds itself", () => {
  test.each([
    [
      "Open WebUI as a file",
      openWebUi({ content: "Look", files: [{ type: "image", url: pixel }] }),
    ],
    [
      "Open WebUI in its content",
      openWebUi({ content: [{ type: "image_url", image_url: { url: pixel } }] }),
    ],
    [
      "the AI SDK",
      {
        messages: [{ role: "user", parts: [{ type: "file", mediaType: "image/png", url: pixel }] }],
      },
    ],
    [
      "Chat Completions",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: pixel } }] }] },
    ],
  ])("of %s is opened", async (_, value) => {
    const [found] = await foundIn(jsonFile(value));
    if (found?.type !== "chat") throw new Error("No chat was found.");
    const [file] = filesOf(found.chat);
    if (!file) throw new Error("No file was found.");
    expect(found.has(file)).toBe(true);
    const blob = await found.open(file);
    expect(blob?.type).toBe("image/png");
    expect(blob?.size).toBe(8);
  });

  test.each(["data:image/png;base64,@@@", "data:,", "data:text/plain,%E0%A4%A"])(
    "and is damaged, as %s, is missing",
    (url) => expect(heldFile(url)).toBeNull(),
  );

  test.each([
    ["data:text/plain;charset=utf-8;base64,SGk=", "Hi"],
    ["data:text/plain,a%20b,c", "a b,c"],
  ])("may be written as %s", async (url, words) => {
    expect(await heldFile(url)?.text()).toBe(words);
  });
});

describe("a chat without times", () => {
  const messages = [{ role: "user", content: "Hello" }];

  test("has that of its file, and says so", async () => {
    const lastModified = Date.UTC(2025, 2, 1);
    const file = new File([JSON.stringify({ messages })], "x.json", { lastModified });
    const [found] = await foundIn(file);
    expect(found).toMatchObject({
      chat: {
        createdAt: new Date(lastModified),
        losses: ["It holds no times, so it has the time of its file."],
      },
    });
  });

  test("of a file without one, too, is of now", async () => {
    const file = new File([JSON.stringify({ messages })], "x.json", { lastModified: 0 });
    const [found] = await foundIn(file);
    const { createdAt } = (found as { chat: { createdAt: Date } }).chat;
    expect(createdAt.getFullYear()).toBeGreaterThan(2025);
  });
});

describe("ChatGPT's marks of citations", () => {
  const mark = (...words: string[]) => `\uE200${words.join("\uE202")}\uE201`;
  const cite = mark("cite", "turn0search0");
  const none = { alt: "", title: "", url: "", name: "", items: [], sources: [] };

  test("become links to their sources", () => {
    const items = [
      { title: "Ponds [deep]", url: "https://a.example/p_(x)" },
      { title: "", url: "https://b.example/" },
      { title: "Bad", url: "javascript:alert(1)" },
    ];
    expect(withLinks(`Deep.${cite} Cold.`, [{ ...none, matched_text: cite, items }])).toBe(
      "Deep. ([Ponds \\[deep\\]](https://a.example/p_%28x%29), [b.example](https://b.example/)) Cold.",
    );
  });

  test.each([
    ["without references go", `Deep.${cite} Cold.`, "Deep. Cold."],
    [
      "of entities leave their names",
      `In ${mark("entity", '["city","Rome","Italy"]')}.`,
      "In Rome.",
    ],
    ["that are torn go", "Deep.\uE200cite\uE202turn0 Cold.\uE201", "Deep. Cold."],
    ["stay away from texts without any", "Deep \uF8FF.", "Deep \uF8FF."],
  ])("that %s", (name, words, shown) => {
    if (name.includes("torn")) expect(withLinks(words, [])).not.toMatch(/[\uE200-\uE206]/);
    else expect(withLinks(words, [])).toBe(shown);
  });
});

describe("a text in another encoding", () => {
  const text = '{"messages":[{"role":"user","content":"Größe 😀"}]}';
  const bytes = (isBig: boolean, hasMark: boolean) => {
    const units = `${hasMark ? "\uFEFF" : ""}${text}`;
    const view = new DataView(new ArrayBuffer(units.length * 2));
    for (let at = 0; at < units.length; at++) view.setUint16(at * 2, units.charCodeAt(at), !isBig);
    return view.buffer;
  };

  test.each([
    ["UTF-16, the low byte first", bytes(false, true)],
    ["UTF-16, the high byte first", bytes(true, true)],
    ["UTF-16 without a mark", bytes(false, false)],
    ["UTF-16 without a mark, the high byte first", bytes(true, false)],
    ["UTF-8 with a mark", new TextEncoder().encode(`\uFEFF${text}`).buffer as ArrayBuffer],
  ])("%s, is read", async (_, content) => {
    expect(await outline(new File([content], "x.json"))).toEqual(["user: Größe 😀"]);
  });

  test("in Markdown is read, too", async () => {
    const words = new Uint16Array([0xfeff, ...[..."You: Hé"].map((each) => each.charCodeAt(0))]);
    expect(await outline(new File([words], "x.md"))).toEqual(["user: Hé"]);
  });
});

describe("Grove's own Markdown", () => {
  const head = (name: string) => `## ${name} · 2026-01-31T10:00:00.000Z`;

  test("takes no line of a message for a speaker, nor a fence without an end for the rest", async () => {
    const said = ["User: Hello?", "## You", "**Claude:** yes", "```", "Assistant: no"].join("\n");
    const file = new File(
      [`# T\n\n${head("You")}\n\n${said}\n\n${head("Assistant")}\n\nOh.\n`],
      "t.md",
    );
    expect(await outline(file)).toEqual([[`user: ${said}`, "assistant: Oh."]]);
  });

  test("has the heads that a message quotes without their backslash", async () => {
    const file = new File(
      [`# T\n\n${head("You")}\n\n\\${head("You")}\n\\\\${head("You")}\n`],
      "t.md",
    );
    expect(await outline(file)).toEqual([`user: ${head("You")}\n\\${head("You")}`]);
  });
});
