import fc from "fast-check";
import { JSDOM } from "jsdom";
import { describe, expect, test } from "vitest";
import type { GroveMessage } from "@/lib/chat/wire/messages";
import { type LaidNode, pathTo } from "./branch-layout";
import { type PageOptions, pageFile } from "./page-file";

interface Told {
  readonly id: string;
  readonly parentId: string | null;
  readonly role?: GroveMessage["role"];
  readonly parts?: GroveMessage["parts"];
}

const nothing = { branches: false, reasoning: false, tools: false, files: false };

/** The page of messages whose text is their id, where they have no other parts. */
async function pageOf(
  told: readonly Told[],
  {
    leafId,
    title = "A walk",
    gone,
    ...options
  }: Partial<PageOptions> & { leafId: string; title?: string; gone?: string },
): Promise<{ html: string; body: HTMLElement }> {
  const nodes: LaidNode[] = told.map(({ id, parentId, role = "user" }) => ({
    ...{ id, parentId, role },
    preview: id,
  }));
  const parts = new Map(told.map((each) => [each.id, each.parts]));
  async function* path(end: string, after = -1) {
    for (const [position, { id, role }] of pathTo(nodes, end).entries()) {
      const own = parts.get(id) ?? [{ type: "text" as const, text: `Text of ${id}.` }];
      if (position > after && id !== gone) yield { position, message: { id, role, parts: own } };
    }
  }
  const read = async (sha256: string) => (sha256.startsWith("0") ? null : "AAAA");
  const chunks = pageFile(
    { title, nodes, leafId, path, read },
    { ...nothing, savedAt: new Date(0), ...options },
  );
  const html = (await Array.fromAsync(chunks)).join("");
  return { html, body: new JSDOM(html).window.document.body };
}

const fork: readonly Told[] = [
  { id: "q", parentId: null },
  { id: "a1", parentId: "q", role: "assistant" },
  { id: "a2", parentId: "q", role: "assistant" },
  { id: "q2", parentId: "a1" },
];

describe("a page of a chat", () => {
  test("holds the messages of one path, and no words of another", async () => {
    const { body } = await pageOf(fork, { leafId: "a2" });
    expect(texts(body)).toEqual(["Text of q.", "Text of a2."]);
    expect(body.querySelectorAll("nav, .branch")).toHaveLength(0);
  });

  test("holds each branch before the messages that it replaces, and leads between them", async () => {
    const { body } = await pageOf(fork, { leafId: "a2", branches: true });
    expect(texts(body)).toEqual(["Text of q.", "Text of a1.", "Text of q2.", "Text of a2."]);
    const branch = body.querySelector(".branch");
    expect(texts(branch)).toEqual(["Text of a1.", "Text of q2."]);
    expect(branch?.nextElementSibling?.id).toBe("m3");
    expect(body.querySelector("#m2 nav")?.textContent).toBe("‹ 1/2 ›");
    expect(body.querySelector("#m2 nav a")?.getAttribute("href")).toBe("#m3");
    const leaves = [...body.querySelectorAll("header li a")].map((link) =>
      link.getAttribute("href"),
    );
    expect(leaves).toEqual(["#m3", "#m4"]);
  });

  test("of any tree holds each message once, and nests no deeper than browsers build", {
    tags: "long",
  }, async () => {
    const tree = fc
      .array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 1, maxLength: 120 })
      .map((draws) =>
        draws.map(([draw, follows], index): Told => {
          const parent = follows ? index - 1 : (draw % (index + 1)) - 1;
          return { id: `n${index}`, parentId: parent < 0 ? null : `n${parent}` };
        }),
      );
    await fc.assert(
      fc.asyncProperty(tree, fc.nat(), async (told, draw) => {
        const leafId = `n${draw % told.length}`;
        const { body } = await pageOf(told, { leafId, branches: true });
        expect(texts(body).toSorted()).toEqual(told.map(({ id }) => `Text of ${id}.`).toSorted());
        const path = [...body.querySelectorAll("main > article")].map(({ id }) => id);
        const expected = pathTo(told, leafId).map(({ id }) => `m${Number(id.slice(1)) + 1}`);
        expect(path.slice(0, expected.length)).toEqual(expected);
        const deepest = Math.max(0, ...[...body.querySelectorAll(".branch")].map(depthOf));
        expect(deepest).toBeLessThanOrEqual(1 + Math.log2(told.length));
      }),
      { numRuns: 30 },
    );
  });

  test("goes on behind a message that was deleted while it was read", async () => {
    const { body } = await pageOf(fork, { leafId: "q2", gone: "a1" });
    expect(texts(body)).toEqual(["Text of q.", "Text of q2."]);
  });
});

describe("unless its person chose otherwise", () => {
  const sha256 = "1".repeat(64);
  const parts = [
    { type: "reasoning", text: "A secret thought" },
    {
      type: "dynamic-tool",
      toolName: "look_up",
      toolCallId: "c",
      state: "output-available",
    } as const,
    { type: "file", url: `grove-file:${sha256}`, filename: "me.png", mediaType: "image/png" },
    { type: "text", text: "Said" },
  ].map((part) =>
    part.type === "dynamic-tool" ? { ...part, input: { q: "private" }, output: "found it" } : part,
  ) as GroveMessage["parts"];
  const told = [{ id: "a", parentId: null, role: "assistant" as const, parts }];

  test("it shows no thoughts, inputs, outputs or bytes", async () => {
    const { html } = await pageOf(told, { leafId: "a" });
    expect(html).toContain("Said");
    expect(html).toContain("File: me.png");
    expect(html).not.toMatch(/secret thought|private|found it|base64/);
  });

  test.each([
    ["reasoning", "A secret thought"],
    ["tools", "private"],
    ["tools", "found it"],
    ["files", 'src="data:image/png;base64,AAAA"'],
  ] as const)("then it shows %s: %s", async (choice, words) => {
    const { html } = await pageOf(told, { leafId: "a", [choice]: true });
    expect(html).toContain(words);
  });

  test("and of a call that never happened it does not say “Used”", async () => {
    const call = {
      ...{ type: "dynamic-tool", toolName: "send_mail", toolCallId: "m", input: {} },
      ...{ state: "output-denied", approval: { id: "x", approved: false } },
    };
    const message = { ...told[0], parts: [call] as unknown as GroveMessage["parts"] };
    const { html } = await pageOf([message as Told], { leafId: "a" });
    expect(html).toContain("Did not call send mail");
    expect(html).not.toContain("Used");
  });

  test("and of memory and other chats it shows nothing, whatever they chose", async () => {
    const call = (toolName: string) => ({
      ...{ type: "dynamic-tool", toolName, toolCallId: toolName, state: "output-available" },
      ...{ input: { content: "My diary" }, output: { text: "My diary" } },
    });
    const memory = [
      ...["set_context", "load_context", "search_context", "session_search"],
      ...["search_files", "read_pages"],
    ].map(call);
    const message = { ...told[0], parts: memory as GroveMessage["parts"] };
    const { html } = await pageOf([message as Told], { leafId: "a", tools: true });
    expect(html).not.toMatch(/diary|context|earlier chats/i);
  });

  test("and of a program's instructions it shows nothing", async () => {
    const { html } = await pageOf([{ id: "s", parentId: null, role: "system" }], { leafId: "s" });
    expect(html).not.toContain("Text of");
  });
});

const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "</p></article></section></main><script>alert(1)</script>",
  "<style>*{display:none}</style>",
  "<base href=https://evil.example>",
  "[a](javascript:alert(1))",
  "[a](data:text/html,<script>alert(1)</script>)",
  "![a](https://evil.example/pixel.png)",
  "![a][b]\n\n[b]: https://evil.example/pixel.png",
  "<https://user:password@evil.example>",
  "$$\\href{javascript:alert(1)}{x}$$",
  "$$\\includegraphics{https://evil.example/pixel.png}$$",
  '```"><script>alert(1)</script>\ncode\n```',
  "<details open ontoggle=alert(1)>x</details>",
  "<svg onload=alert(1)>",
  "[^1]\n\n[^1]: <script>alert(1)</script>",
  "| <script>alert(1)</script> |\n| - |\n| ![a](//evil.example) |",
];

test.each(hostile)(
  "%j runs nothing, requests nothing and leaves its message in no other",
  async (text) => {
    const one = (role: GroveMessage["role"], parentId: string | null) => ({
      ...{ id: role, parentId, role },
      parts: [{ type: "text" as const, text }],
    });
    const told = [one("user", null), one("assistant", "user")];
    const { body } = await pageOf(told, { leafId: "assistant", title: `</title>${text}` });
    const all = [...body.ownerDocument.querySelectorAll("*")];
    const names = all.flatMap((element) => element.getAttributeNames());
    expect(names.filter((name) => name.startsWith("on"))).toEqual([]);
    expect(
      all.filter(({ tagName }) => /^(script|base|link|iframe|object|embed|svg)$/i.test(tagName)),
    ).toEqual([]);
    expect(all.filter((element) => element.hasAttribute("src"))).toEqual([]);
    expect(body.ownerDocument.querySelectorAll("style")).toHaveLength(1);
    const addresses = [...body.querySelectorAll("a[href]")].map((link) =>
      link.getAttribute("href"),
    );
    expect(addresses.filter((address) => !/^(https?:|mailto:|#)/.test(address ?? ""))).toEqual([]);
    expect([...body.querySelectorAll("main > article")].map(({ id }) => id)).toEqual(["m1", "m2"]);
  },
);

function texts(within: Element | null): string[] {
  return [...(within?.querySelectorAll(".said, .text") ?? [])].map(
    ({ textContent }) => textContent?.trim() ?? "",
  );
}

function depthOf(branch: Element): number {
  const outer = branch.parentElement?.closest(".branch");
  return 1 + (outer ? depthOf(outer) : 0);
}
