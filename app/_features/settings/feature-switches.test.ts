import { expect, it } from "vitest";
import { modelWire } from "@/app/_data/testing/model-wire";
import { featureChanges, featureFormOf, featureResets, refusalOf } from "./feature-switches";

const refused = { feature: "tools", takes: false, by: "server", words: "no tools" } as const;
const model = modelWire("a/b", {
  tools: false,
  takes: { images: null, pdfs: true },
  features: [refused, { feature: "system", takes: false, by: "server" }],
});
const form = featureFormOf(model);

it("shows what is known of a model, and what is not", () => {
  expect(form).toEqual({ tools: "no", images: "unknown", pdfs: "yes" });
});

it("changes only the switches that were moved", () => {
  expect(featureChanges("a/b", form, { ...form, tools: "yes", pdfs: "unknown" })).toEqual([
    { ref: "a/b", feature: "tools", takes: true },
    { ref: "a/b", feature: "pdfs", takes: null },
  ]);
  expect(featureChanges("a/b", form, form)).toEqual([]);
});

it("takes back everything that was refused or set", () => {
  expect(featureResets(model).map(({ feature, takes }) => [feature, takes])).toEqual([
    ["tools", null],
    ["system", null],
  ]);
});

it("quotes the server that refused, and nobody else", () => {
  expect(refusalOf(model.features, "tools")).toBe("The server refused them: “no tools”");
  expect(refusalOf([{ ...refused, by: "person" }], "tools")).toBeNull();
  expect(refusalOf(model.features, "images")).toBeNull();
});
