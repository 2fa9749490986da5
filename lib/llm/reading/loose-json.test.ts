import { expect, test } from "vitest";
import { looseJson } from "./loose-json";

const texts: readonly (readonly [string, string, readonly unknown[]])[] = [
  ["JSON", '{"a":[1,-2.5e3,"b",true,null]}', [{ a: [1, -2500, "b", true, null] }]],
  ["text that is cut off", '{"a":"one","b":"tw', [{ a: "one", b: "tw" }]],
  ["a name that is cut off", '{"a":"one","cand', [{ a: "one" }]],
  ["a code that is cut off", '{"a":"one \\ud8', [{ a: "one " }]],
  ["a sign that is cut off", '{"a":"one\\', [{ a: "one" }]],
  ["brackets that are cut off", '{"a":[{"b":"one"', [{ a: [{ b: "one" }] }]],
  ["two values in one", '{"a":1}{"b":2}', [{ a: 1 }, { b: 2 }]],
  ["a value each line", '{"a":1}\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
  ["words around a value", 'ok {"a":1} done', [{ a: 1 }]],
  ["signs of control", '{"a":"one\u0007\ttwo\nthree"}', [{ a: "one\u0007\ttwo\nthree" }]],
  ["escapes that JSON lacks", String.raw`{"a":"\d\'\x"}`, [{ a: "d'x" }]],
  ["numbers that are none", '{"a":NaN,"b":-Infinity,"c":"one"}', [{ c: "one" }]],
  ["a value that is none", '{"a":null.5,"b":{}e30,"c":"x"e3,"d":1}', [{ b: {}, c: "x", d: 1 }]],
  [
    "a dictionary of Python",
    "{'a': None, 'b': True, 'c': 'it\\'s'}",
    [{ a: null, b: true, c: "it's" }],
  ],
  ["a comma too many", '{"a":[1,2,],}', [{ a: [1, 2] }]],
  ["a comma too few", '{"a":1 "b":"two"}', [{ a: 1, b: "two" }]],
  ["a wrong bracket", '{"a":[1,2},"b":3}', [{ a: [1, 2] }]],
  ["a name without a value", '{"a","b":2}', [{ b: 2 }]],
  ["names of every object", '{"constructor":constructor,"a":1}', [{ a: 1 }]],
  ["no value at all", "nothing } ] here", []],
];

test.each(texts)("reads %s", (_, text, values) => {
  expect(looseJson(text)).toEqual(values);
});

test.each(["[", '{"a":', "'\"'[", "[{"])(
  "neither throws nor lingers at 200,000 times %s",
  (part) => {
    expect(looseJson(part.repeat(200_000))).toBeInstanceOf(Array);
  },
);

test("keeps every text that is not cut at each length of an event", () => {
  const event = '{"choices":[{"delta":{"content":"one"}},{"delta":{"content":"two \\u00fc"}}]}';
  for (let length = 0; length <= event.length; length++) {
    const read = JSON.stringify(looseJson(event.slice(0, length)));
    expect(read.includes('"one"')).toBe(length >= event.indexOf("one") + 3);
  }
});
