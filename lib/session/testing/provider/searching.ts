import { describe, expect, test } from "vitest";
import type { SessionTreeProvider } from "../../session-provider";
import { assistant, ids, toolCall, user } from "../builders";
import type { MakeProvider } from "./make-provider";

const inLanguages = {
  en: "The meeting about the car is in the other room.",
  de: "Wir suchen eine Wohnung in einem der alten Häuser.",
  fr: "Nous avons parlé des chevaux et des développements à la réunion.",
  es: "Las reuniones son caras, y las canciones son para los niños.",
  it: "Le riunioni con i ragazzi non sono finite.",
  pt: "As reuniões são na cidade e os aviões não voam.",
  nl: "Ik heb twee brieven geschreven en een huis gekocht.",
  sv: "Flickorna och bilarna är inte här.",
  ru: "Собрания прошли, новые книги и свечи лежат у ёлки.",
} as const;

export function searchingGuarantees(make: MakeProvider): void {
  async function conversation(): Promise<SessionTreeProvider> {
    const provider = await make();
    await provider.appendMessage({
      ...user("q1", "When is the deployment to Zürich?"),
      createdAt: new Date("2026-01-10T12:00:00Z"),
    });
    await provider.appendMessage({
      ...assistant("a1", "We deploy the blue green cluster on Friday. 東京都庁で会議があります。"),
      createdAt: new Date("2026-01-20T12:00:00Z"),
    });
    await provider.appendMessage(user("q2", "C++ or C#?"));
    await provider.appendMessage(
      assistant("a2", "Rust.", { type: "reasoning", text: "secretly pondering" }),
    );
    return provider;
  }

  describe("searching", () => {
    test("finds the last written first among equal messages", async () => {
      const provider = await make();
      const createdAt = new Date("2026-01-10T12:00:00Z");
      const written = ["m2", "m1", "m3"];
      for (const id of written)
        await provider.appendMessage({ ...user(id, "equal tea"), createdAt });
      expect(ids(await provider.searchMessages("tea"))).toEqual(written.toReversed());
      expect(ids(await provider.searchMessages("tea", { limit: 2 }))).toEqual(["m3", "m1"]);
    });

    test.each([
      ["deployment", ["a1", "q1"]],
      ["friday cluster", ["a1"]],
      ["cluster friday", ["a1"]],
      ["zurich", ["q1"]],
      ["ZÜRICH", ["q1"]],
      ["deploym", ["q1"]],
      ["deploym ", []],
      ['"blue green"', ["a1"]],
      ['"green blue"', []],
      ["deploy -zurich", ["a1"]],
      ["deployment saturday", []],
      ["東京都", ["a1"]],
      ["議", ["a1"]],
      ["京都会", []],
      ["c++", ["q2"]],
      ["c#", ["q2"]],
      ["role:assistant deploy", ["a1"]],
      ["role:user cluster", []],
      ["deployment after:2026-01-15", ["a1"]],
      ["deployment before:2026-01-15", ["q1"]],
      ["pondering", []],
      ["", []],
      ["   ", []],
      ["-friday", []],
      ["\"'\\ & | ! :* <-> ( )", []],
    ])("%j finds %j", async (query, expected) => {
      const provider = await conversation();
      expect(ids(await provider.searchMessages(query)).toSorted()).toEqual(expected);
    });

    test.each([
      ["haus", ["de"]],
      ["Hauses ", ["de"]],
      ["wohnungen ", ["de"]],
      ['"alten hauses"', ["de"]],
      ['"hauses alten"', []],
      ["cheval", ["fr"]],
      ["reunion ", ["fr", "es"]],
      ["riunione ", ["it"]],
      ["reuniao ", ["pt"]],
      ["développement ", ["fr"]],
      ["canción ", ["es"]],
      ["ragazze ", ["it"]],
      ["aviao ", ["pt"]],
      ["brief ", ["nl"]],
      ["huizen ", ["nl"]],
      ["flicka ", ["sv"]],
      ["собрание ", ["ru"]],
      ["новая книга ", ["ru"]],
      ["свеча елка ", ["ru"]],
      ["meetings ", ["en"]],
      ["care ", ["es"]],
      ["car -care ", ["en"]],
    ])("%j finds %j, whatever the language", async (query, expected) => {
      const provider = await make();
      for (const [id, text] of Object.entries(inLanguages)) {
        await provider.appendMessage(user(id, text));
      }
      const hits = ids(await provider.searchMessages(query));
      expect(hits.toSorted()).toEqual(expected.toSorted());
    });

    test("leaves out a word in every form of its language", async () => {
      const provider = await make();
      await provider.appendMessage(user("one", "Die Wohnung ist sehr teuer"));
      await provider.appendMessage(user("many", "Die Wohnungen sind sehr teuer"));
      await provider.appendMessage(user("none", "Das Auto ist sehr teuer"));
      expect(ids(await provider.searchMessages("teuer -wohnung "))).toEqual(["none"]);
    });

    test("marks a word in the form in which it was written", async () => {
      const provider = await make();
      await provider.appendMessage(user("de", inLanguages.de));
      const [hit] = await provider.searchMessages('"alten hauses" wohnungen ');
      expect(hit?.snippet.marks.map(([from, to]) => hit.snippet.text.slice(from, to))).toEqual([
        "Wohnung",
        "alten",
        "Häuser",
      ]);
    });

    test("reads each line of a text in its own language", async () => {
      const provider = await make();
      const lines = [
        "What is the meaning of these two?",
        "Die Bäume sind alt.",
        "Les chevaux sont dans la forêt.",
      ];
      await provider.appendMessage(user("m1", lines.join("\n")));
      for (const query of ["meanings ", "baum ", "cheval "]) {
        expect(ids(await provider.searchMessages(query))).toEqual(["m1"]);
      }
    });

    test("gives each match with its place, marked", async () => {
      const provider = await conversation();
      const [hit] = await provider.searchMessages("friday");
      expect(hit).toMatchObject({
        id: "a1",
        role: "assistant",
        content: "We deploy the blue green cluster on Friday. 東京都庁で会議があります。",
        createdAt: new Date("2026-01-20T12:00:00Z"),
        place: "active",
      });
      expect(hit?.snippet.marks.map(([from, to]) => hit.snippet.text.slice(from, to))).toEqual([
        "Friday",
      ]);
    });

    test("takes a limit, as a number or an option", async () => {
      const provider = await make();
      for (let n = 0; n < 25; n++) await provider.appendMessage(user(`m${n}`, `apple ${n}`));
      expect(await provider.searchMessages("apple")).toHaveLength(20);
      expect(await provider.searchMessages("apple", 3)).toHaveLength(3);
      expect(await provider.searchMessages("apple", { limit: 5 })).toHaveLength(5);
    });

    test("takes filters as options", async () => {
      const provider = await conversation();
      const day = new Date("2026-01-15");
      expect(ids(await provider.searchMessages("deploy", { role: "assistant" }))).toEqual(["a1"]);
      expect(ids(await provider.searchMessages("deploy", { after: day }))).toEqual(["a1"]);
      expect(ids(await provider.searchMessages("deployment", { before: day }))).toEqual(["q1"]);
      expect(await provider.searchMessages("deploym", { prefix: false })).toEqual([]);
    });

    test("shows what was said before what a tool wrote, and says where only a tool has the words", async () => {
      const provider = await make();
      const call = toolCall("read_page", { url: "pear" }, "pear tree, pear wine");
      await provider.appendMessage(assistant("both", "I read about pear cake.", call));
      await provider.appendMessage(assistant("tool", "Done.", call));
      const hits = await provider.searchMessages("pear");
      const shown = hits.map(({ id, part, snippet }) => [id, part, snippet.text.split("\n")[0]]);
      expect(shown).toEqual([
        ["both", undefined, "I read about pear cake."],
        ["tool", "tools", expect.stringContaining("pear wine")],
      ]);
    });

    test("looks into tool calls", async () => {
      const provider = await make();
      const call = toolCall("weather", { city: "Lisbon" }, { forecast: "drizzle" });
      await provider.appendMessage(assistant("a1", "", call));
      expect(ids(await provider.searchMessages("lisbon drizzle"))).toEqual(["a1"]);
    });

    test.each(["session_search", "search_context"])(
      "does not find what %s has found before",
      async (name) => {
        const provider = await make();
        await provider.appendMessage(user("said", "The walnut tree"));
        const call = toolCall(name, { query: "walnut" }, "[Garden, user]\nThe walnut tree");
        await provider.appendMessage(assistant("again", "I looked.", call));
        expect(ids(await provider.searchMessages("walnut"))).toEqual(["said"]);
        expect(ids(await provider.searchMessages("walnut", { parts: ["tools"] }))).toEqual([]);
        expect(ids(await provider.searchMessages("looked"))).toEqual(["again"]);
      },
    );

    test.each([
      ["a word", "walnut"],
      ["words far apart", "walnut tart"],
      ["a phrase", '"walnut tree"'],
      ["words and one that is excluded", "walnut -pear"],
      ["any word", "walnut nothing"],
    ])("puts what people and models say above what tools write: %s", async (_, query) => {
      const provider = await make();
      const far = `The walnut tree. ${"Many other words. ".repeat(80)} A tart.`;
      await provider.appendMessage(user("person", far));
      const output = "walnut tree tart ".repeat(40);
      const call = toolCall("read_page", { url: "walnut" }, output);
      await provider.appendMessage(assistant("tool", "I read it.", call));
      await provider.appendMessage(assistant("model", far));
      await provider.appendMessage(assistant("another tool", "Done.", call));
      const options = { match: query.includes("nothing") ? ("any" as const) : ("all" as const) };
      const found = ids(await provider.searchMessages(query, options));
      expect(found.slice(0, 2).toSorted()).toEqual(["model", "person"]);
      expect(found.slice(2).toSorted()).toEqual(["another tool", "tool"]);
    });

    test.each([
      ["€", ["price"]],
      ["5 €", ["price"]],
      ['"5 €"', ["price"]],
      ["6 €", []],
      ["→", ["arrow"]],
      ["a→b", ["arrow"]],
      ["a←b", []],
      ["🎉", ["party"]],
      ["party 🎉", ["party"]],
      ["party -🎉", []],
      ["❤", ["heart"]],
      ["❤️", ["heart"]],
      ["👍", ["thumb"]],
      ["🇪🇺", ["flag"]],
      ["🇺🇪", []],
      ["🇪🇸", []],
      ["±", ["sum"]],
      ["℃", ["sum"]],
      ["¥", ["sum"]],
      ["🙃", []],
      ["?", []],
      ["│", []],
    ])("finds the sign %s", async (query, expected) => {
      const provider = await make();
      const texts = {
        price: "It costs 5 € a day.",
        arrow: "From a→b",
        party: "A party🎉!",
        heart: "I ❤️ it?",
        thumb: "👍🏽 fine",
        flag: "🇪🇺🇸🇪",
        sum: "20 ± 1 ℃ for 5¥ │",
      };
      for (const [id, text] of Object.entries(texts)) await provider.appendMessage(user(id, text));
      expect(ids(await provider.searchMessages(query))).toEqual(expected);
    });

    test("marks a sign in the snippet", async () => {
      const provider = await make();
      await provider.appendMessage(user("q", "It costs 5 € a day."));
      const [hit] = await provider.searchMessages("€");
      const { text = "", marks = [] } = hit?.snippet ?? {};
      expect(marks.map(([start, end]) => text.slice(start, end))).toEqual(["€"]);
    });

    test("finds a message with any of the words when asked to, those with more of them first", async () => {
      const provider = await make();
      await provider.appendMessage(user("both", "The invoice names a discrepancy."));
      await provider.appendMessage(user("one", "invoice invoice invoice invoice"));
      await provider.appendMessage(user("excluded", "An invoice without tax."));
      await provider.appendMessage(user("none", "Lunch"));
      for (let n = 0; n < 9; n++) await provider.appendMessage(user(`more${n}`, "An invoice."));
      const found = async (query: string) =>
        ids(await provider.searchMessages(query, { match: "any", limit: 100 }));
      expect(await provider.searchMessages("invoice zebra ")).toEqual([]);
      expect((await found("invoice discrepancy zebra "))[0]).toBe("both");
      expect(await found("invoice discrepancy ")).toHaveLength(12);
      expect(await found("invoice discrepancy -tax ")).toHaveLength(11);
      expect(await found("zebra ")).toEqual([]);
      expect(await found("-invoice ")).toEqual([]);
    });

    test("searches only the parts it is asked to search, and reasoning only when asked to", async () => {
      const provider = await make();
      const call = toolCall("weather", { city: "Lisbon" }, "pear drizzle");
      const thought = { type: "reasoning", text: "secretly pondering pears" };
      const file = { type: "file", mediaType: "text/plain", filename: "pear.txt", url: "data:," };
      await provider.appendMessage(assistant("said", "A pear falls."));
      await provider.appendMessage(assistant("called", "", call));
      await provider.appendMessage(assistant("thought", "Well.", thought));
      await provider.appendMessage({ id: "sent", role: "user", parts: [file] });
      await provider.addCompaction("pear summary", "said", "said");
      const found = async (query: string, ...parts: ("text" | "tools" | "files" | "reasoning")[]) =>
        (await provider.searchMessages(query, { parts }))
          .map(({ id, place }) => (place === "summary" ? "summary" : id))
          .toSorted();
      expect(ids(await provider.searchMessages("pondering "))).toEqual([]);
      expect(await found("pear ", "text")).toEqual(["said", "summary"]);
      expect(await found("pear ", "tools")).toEqual(["called"]);
      expect(await found("pear ", "files")).toEqual(["sent"]);
      expect(await found("pear ", "reasoning")).toEqual(["thought"]);
      expect(await found('"pondering pears"', "reasoning")).toEqual(["thought"]);
      expect(await found("ponder", "text", "reasoning")).toEqual(["thought"]);
      expect(await found("pear ", "tools", "files")).toEqual(["called", "sent"]);
      expect(await found("pear ")).toEqual([]);
      const [hit] = await provider.searchMessages("ponder", { parts: ["reasoning"] });
      expect(hit?.content).toBe("secretly pondering pears");
    });

    test("says whether a hit lies on the path, beside it, under a summary or in one", async () => {
      const provider = await make();
      await provider.appendMessage(user("q1", "pear one"));
      await provider.appendMessage(assistant("a1", "pear two"));
      await provider.appendMessage(assistant("b1", "pear three"), "q1");
      await provider.appendMessage(user("q2", "pear four"));
      await provider.addCompaction("pear summary", "q1", "b1");
      const hits = await provider.searchMessages("pear");
      expect(hits.map(({ id, place }) => [id, place]).toSorted()).toEqual(
        [
          ["q1", "under-summary"],
          ["a1", "branch"],
          ["b1", "under-summary"],
          ["b1", "summary"],
          ["q2", "active"],
        ].toSorted(),
      );
    });

    test("survives texts a database refuses", async () => {
      const provider = await make();
      await provider.appendMessage(user("m1", "zero \u0000 lone \ud800 'quote \\ needle"));
      await provider.appendMessage(user("m2", `${"字庁".repeat(90_000)} ${"x".repeat(9_000)}`));
      expect(ids(await provider.searchMessages("needle quote"))).toEqual(["m1"]);
      expect(await provider.searchMessages("\u0000 \ud800")).toEqual([]);
    });
  });
}
