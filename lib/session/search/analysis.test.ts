import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTsqueries, toTsquery, toTsvector } from "./lexemes";
import { excerptText, matches, snippet } from "./match";
import { parseQuery, type SearchQuery } from "./query";
import { stem } from "./stem";
import { tokenize } from "./tokenize";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({
    unit: fc.constantFrom(
      "東",
      "京",
      "か",
      "ﾞ",
      "a",
      "é",
      "+",
      "#",
      '"',
      "-",
      ":",
      " ",
      "\ud800",
      "ก",
      "่",
      "각",
      "\u0000",
      "'",
      "\\",
      "ß",
      "½",
    ),
    maxLength: 60,
  }),
);

function finds(text: string, line: string): boolean {
  return matches(parseQuery(line), tokenize(text));
}

function mainTerms(text: string): string[] {
  const tokens = tokenize(text);
  return tokens
    .filter((token, i) => token.position !== tokens[i - 1]?.position)
    .map(({ term }) => term);
}

describe("stem", () => {
  test.each([
    ["caresses", "caress"],
    ["ponies", "poni"],
    ["cats", "cat"],
    ["agreed", "agre"],
    ["plastered", "plaster"],
    ["motoring", "motor"],
    ["sing", "sing"],
    ["conflated", "conflat"],
    ["hopping", "hop"],
    ["falling", "fall"],
    ["filing", "file"],
    ["happy", "happi"],
    ["sky", "sky"],
    ["relational", "relat"],
    ["conditional", "condit"],
    ["vietnamization", "vietnam"],
    ["hopefulness", "hope"],
    ["electriciti", "electr"],
    ["adjustment", "adjust"],
    ["adoption", "adopt"],
    ["replacement", "replac"],
    ["probate", "probat"],
    ["rate", "rate"],
    ["controlling", "control"],
    ["generalizations", "gener"],
  ])("reduces %s to %s", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});

describe("tokenize", () => {
  test("folds case, accents, width and letters without decomposition", () => {
    expect(mainTerms("Café ＣＡＦＥ Straße Ærø Łódź")).toEqual([
      "cafe",
      "cafe",
      "strass",
      "aero",
      "lodz",
    ]);
  });

  test("keeps C, C++ and C# apart", () => {
    expect(mainTerms("C, C++ and C#; notepad++")).toEqual(["c", "c++", "and", "c#", "notepad"]);
  });

  test("makes overlapping pairs of scripts without spaces", () => {
    expect(mainTerms("東京都 tower ไทย 字")).toEqual(["東京", "京都", "tower", "ไท", "ทย", "字"]);
  });

  test("reads half-width and decomposed forms as the usual ones", () => {
    expect(mainTerms("ｶﾞｷﾞ")).toEqual(mainTerms("ガギ"));
    expect(mainTerms("한국".normalize("NFD"))).toEqual(mainTerms("한국"));
  });

  test("adds the stems of the languages a text seems to be written in", () => {
    const stems = (text: string) => [
      ...new Set(tokenize(text).flatMap(({ term }) => (term.endsWith(":") ? term : []))),
    ];
    expect(stems("The houses of the city")).toEqual([]);
    expect(stems("Die Häuser der Städte")).toEqual(["haus:", "stadt:"]);
    expect(stems("Les maisons de la ville")).toEqual(["maison:", "vill:"]);
    expect(stems("The houses are old, and so is this.\nDie Häuser sind alt.")).toEqual([
      "haus:",
      "alt:",
    ]);
    expect(stems("houses")).toEqual([]);
    expect(stems("Собрания 東京都 c++ 42")).toEqual([]);
  });

  test("reads Cyrillic by the rules of Russian", () => {
    expect(mainTerms("новый новая новое собрание собраний ёлки елка")).toEqual([
      "нов",
      "нов",
      "нов",
      "собран",
      "собран",
      "елк",
      "елк",
    ]);
  });

  test("gives offsets into the text", () => {
    const text = "It ran on ½ a 東京都";
    expect(tokenize(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      "It",
      "ran",
      "on",
      "½",
      "½",
      "a",
      "東京",
      "京都",
      "都",
    ]);
  });
});

describe("parseQuery", () => {
  test("reads words, phrases, exclusions and filters", () => {
    expect(
      parseQuery(
        'deploy "blue green" -friday role:user tag:work program:"My agent" in:s1 before:2026-02-01 after:2026-01-01 ',
      ),
    ).toEqual({
      phrases: [
        { terms: [expect.arrayContaining(["deploi"])], prefix: null, negated: false },
        {
          terms: [expect.arrayContaining(["blue"]), expect.arrayContaining(["green"])],
          prefix: null,
          negated: false,
        },
        { terms: [expect.arrayContaining(["fridai"])], prefix: null, negated: true },
      ],
      role: "user",
      tag: "work",
      program: "My agent",
      sessionId: "s1",
      before: new Date("2026-02-01"),
      after: new Date("2026-01-01"),
      words: 'deploy "blue green" -friday',
      problems: [],
    });
  });

  test("takes the last word as unfinished unless a space or a quote follows", () => {
    const prefixes = (line: string) => parseQuery(line).phrases.map(({ prefix }) => prefix);
    expect(prefixes("blue deploym")).toEqual([null, "deploym"]);
    expect(prefixes("blue deploym ")).toEqual([null, null]);
    expect(prefixes('"blue deploym"')).toEqual([null]);
    expect(prefixes('"blue deploym')).toEqual(["deploym"]);
  });

  test("leaves out a filter it cannot read, and looks for any other name with a colon", () => {
    const line = "https://example.org role:nobody before:soon in: pot ";
    const { phrases, words, problems, ...filters } = parseQuery(line);
    expect(phrases.map(({ terms }) => terms.map(([term]) => term))).toEqual([
      ["http", "exampl", "org"],
      ["pot"],
    ]);
    expect(filters).toEqual({});
    expect(words).toBe("https://example.org pot");
    expect(problems).toHaveLength(2);
  });

  test.each([
    ["soup role:user before:2026-01-31", []],
    ["https://example.org", []],
    ["soup before:", []],
    ["soup role:cook", [expect.stringContaining("“cook” is not a role")]],
    ["soup after:tea", [expect.stringContaining("“tea” is not a date")]],
    ["-tomato", [expect.stringContaining("A minus only excludes")]],
    ["role:user", [expect.stringContaining("A filter only narrows")]],
    ["", []],
    ["“”", []],
    ["?!", [expect.stringContaining("Punctuation cannot be searched")]],
    ["$ role:user", [expect.stringContaining("Punctuation cannot be searched")]],
    ["→", []],
  ])("reports the problems of %j", (line, problems) => {
    expect(parseQuery(line).problems).toEqual(problems);
  });

  test.each(["", "  ", "-", '"', '""', "-x", "!!!", "role:user"])(
    "finds nothing for %j",
    (line) => {
      expect(finds("x role user", line)).toBe(false);
      expect(toTsquery(parseQuery(line))).toBeNull();
    },
  );
});

describe("matching", () => {
  const text = "The deployments to Zürich ran on Friday; 東京都庁で会議. Not C++, but C#.";

  test.each([
    "friday deployment",
    "zurich",
    "deploym",
    '"ran on friday"',
    "京都庁",
    "会議",
    "議",
    "c#",
    "-saturday friday",
  ])("finds %j", (line) => expect(finds(text, line)).toBe(true));

  test.each(["friday -deployment", '"friday ran"', "京都会", "c ", "saturday", "deploym "])(
    "does not find %j",
    (line) => expect(finds(text, line)).toBe(false),
  );

  test("every word of a text finds the text", () => {
    fc.assert(
      fc.property(anyText, (each) => {
        for (const { start, end } of tokenize(each)) {
          expect(finds(each, each.slice(start, end))).toBe(true);
          expect(finds(each, `${each.slice(start, end)} `)).toBe(true);
        }
      }),
    );
  });

  test("every word of a text finds the text, however its languages are mixed", () => {
    const words =
      "the is Die Häuser sind der Les chevaux une Las canciones À reuniões são Het huizen är Мои книги \n . c++";
    const mixed = fc.array(fc.constantFrom(...words.split(" ")), { maxLength: 30 });
    fc.assert(
      fc.property(mixed, (each) => {
        const text = each.join(" ");
        for (const { start, end } of tokenize(text)) {
          expect(finds(text, `"${text.slice(start, end)}"`)).toBe(true);
          expect(finds(text, `${text.slice(start, end)} -xylophone`)).toBe(true);
        }
      }),
    );
  });

  test("reading a query never throws", () => {
    fc.assert(
      fc.property(anyText, anyText, (line, each) => {
        const query = parseQuery(line);
        toTsquery(query);
        matches(query, tokenize(each));
      }),
    );
  });
});

describe("Postgres literals", () => {
  test("joins words with and, phrases with distance, and leaves open the last word", () => {
    expect(toTsquery(parseQuery('a "b c" -d 東京都 fri'))).toBe(
      "'a' & ('b' <-> 'c') & !'d' & ('東京' <-> '京都') & 'fri':*",
    );
    expect(toTsquery(parseQuery("maison"))).toBe("'maison':*");
    expect(toTsquery(parseQuery('"häusern x"'))).toBe(
      "(('hausern' | 'haus:' | 'hausern:') <-> 'x')",
    );
    expect(toTsquery(parseQuery("running"))).toMatch(/^\('run' \| .*'running':\*\)$/);
  });

  test("numbers the words of a text", () => {
    expect(toTsvector("a b a running")).toBe("'a':1,3 'b':2 'run':4 'running':4");
  });

  test("tells the words of each part apart", () => {
    const sections = [
      { part: "text", text: "a b" },
      { part: "tools", text: "a c" },
      { part: "files", text: "d" },
      { part: "reasoning", text: "e a" },
    ] as const;
    expect(toTsvector(sections)).toBe("'a':1,3C 'b':2 'c':4C 'd':5B ':e':6 ':a':7");
    const asked = (parts: SearchQuery["parts"]) => toTsquery({ ...parseQuery("a "), parts });
    expect(asked(undefined)).toBe("'a'");
    expect(asked(["text", "tools"])).toBe("'a':DC");
    expect(asked(["reasoning"])).toBe("':a'");
    expect(asked(["text", "tools", "files", "reasoning"])).toBe("('a' | ':a')");
    expect(asked([])).toBeNull();
  });

  test("asks for each word alone when any suffices", () => {
    expect(toTsqueries({ ...parseQuery("a b -c "), match: "any" })).toEqual([
      "'a' & 'b' & !'c'",
      "'a' & !'c'",
      "'b' & !'c'",
    ]);
    expect(toTsqueries(parseQuery("a b "))).toEqual(["'a' & 'b'"]);
    expect(toTsqueries(parseQuery("-c "))).toEqual([]);
  });

  test("stays within what Postgres accepts", { tags: "long" }, () => {
    const literal = toTsvector(
      `${"same ".repeat(1_000)}${"字庁".repeat(90_000)} ${"x".repeat(5_000)}`,
    );
    expect(new TextEncoder().encode(literal).length).toBeLessThan(800_000);
    expect(literal.match(/'same':([\d,]+)/)?.[1]?.split(",")).toHaveLength(255);
    const many = toTsvector(Array.from({ length: 40_000 }, (_, i) => `w${i}`).join(" "));
    expect(Math.max(...[...many.matchAll(/:(\d+)/g)].map((match) => Number(match[1])))).toBe(
      16_383,
    );
  });

  test("is well formed for any text", () => {
    fc.assert(
      fc.property(anyText, (each) => {
        const literal = toTsvector(each);
        expect(literal.isWellFormed()).toBe(true);
        expect(literal).not.toContain("\u0000");
      }),
    );
  });
});

describe("snippet", () => {
  test("tells a model the full length of an excerpt", () => {
    const text = `${"word ".repeat(200)}owl ${"word ".repeat(200)}`.trim();
    const said = excerptText(snippet(text, parseQuery("owl")), text);
    expect(said).toMatch(/^…word .*owl .*… \[excerpt: 198 of 2,003 characters\]$/);
    expect(excerptText(snippet("**An owl**", parseQuery("owl")), "**An owl**")).toBe("An owl");
  });

  test("shows the part with most of the words, marked", () => {
    const text = `${"filler ".repeat(100)}the deployment\nran on Friday ${"filler ".repeat(100)}`;
    const { text: shown, marks } = snippet(text, parseQuery("friday deployments"), {
      maxChars: 80,
    });
    expect(marks.map(([start, end]) => shown.slice(start, end))).toEqual(["deployment", "Friday"]);
    expect(shown).toMatch(/^….*deployment ran on Friday.*…$/);
  });

  test("marks overlapping pairs as one", () => {
    expect(snippet("於東京都庁", parseQuery("東京都"))).toEqual({
      text: "於東京都庁",
      marks: [[1, 4]],
    });
  });

  test("marks as much of a word longer than itself as it shows", () => {
    const { text, marks } = snippet(`see ${"overlong".repeat(50)} there`, parseQuery("overl"), {
      maxChars: 60,
    });
    expect(text).toMatch(/^see (?:overlong)+/);
    expect(marks).toEqual([[4, 58]]);
  });

  test("keeps marks within its text and never cuts a character", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.integer({ min: 10, max: 60 }),
        (each, maxChars) => {
          const word = tokenize(each).at(-1);
          const query = parseQuery(word ? each.slice(word.start, word.end) : "x");
          const { text, marks } = snippet(each, query, { maxChars });
          expect(text.isWellFormed()).toBe(true);
          expect(text.length).toBeLessThanOrEqual(maxChars);
          let end = 0;
          for (const mark of marks) {
            expect(mark[0]).toBeGreaterThanOrEqual(end);
            end = mark[1];
          }
          expect(end).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });
});
