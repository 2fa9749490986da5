import { expect, test } from "vitest";
import { errorsIn } from "@/app/_data/forms/use-form";
import type { BlockWire } from "@/lib/chat/wire/memory";
import { blockFormOf, blockSchema, changeBody, createBody, labelOf } from "./block-form";

const block: BlockWire = {
  id: "block",
  label: "q3_goals",
  description: "What counts",
  note: "What counts",
  kind: "readonly",
  scope: "session",
  writers: "person",
  isOwn: true,
  origin: null,
  content: "",
  version: 0,
  tokens: 0,
  maxTokens: 300,
  entryCount: null,
  error: null,
};

test.each([
  ["House rules", "house-rules"],
  ["  Plan B!  ", "plan-b"],
  ["Straße", "strasse"],
  ["Q3_goals", "q3_goals"],
  ["a -_- b", "a-b"],
  ["計画", "計画"],
  ["नियम", "नियम"],
  ["═══", ""],
])("the model knows %j as %j", (name, label) => {
  expect(labelOf(name)).toBe(label);
});

test("a form without name or room cannot be saved", () => {
  const form = { ...blockFormOf(null), name: " ", room: "many" };
  expect(Object.keys(errorsIn(blockSchema(null), form))).toEqual(["name", "room"]);
  expect(errorsIn(blockSchema(null), { ...form, name: "x".repeat(41), room: "9" })).toEqual({
    name: "Enter a name of at most 40 characters.",
    room: "Enter a whole number from 10 to 20,000.",
  });
  expect(errorsIn(blockSchema(null), { ...form, name: "Plan", kind: "searchable" })).toEqual({});
});

test("a new section takes no name that one of Grove's has on the page", () => {
  const form = { ...blockFormOf(null), name: "about  You" };
  const taken = { name: "Grove has a section of this name. Enter another." };
  expect(errorsIn(blockSchema(null), form)).toEqual(taken);
  const older = { ...block, label: "tasks" };
  expect(errorsIn(blockSchema(older), blockFormOf(older))).toEqual({});
});

test("a new block is sent with its room when it holds text", () => {
  const form = { ...blockFormOf(null), name: "House rules", description: " Ours " };
  const body = { label: "house-rules", description: "Ours", writers: "both", scope: "owner" };
  expect(createBody(form)).toEqual({ ...body, kind: "writable", maxTokens: 1_000 });
  expect(createBody({ ...form, kind: "searchable" })).toEqual({ ...body, kind: "searchable" });
});

test("of a change only what has changed is sent", () => {
  const form = blockFormOf(block);
  expect(form).toMatchObject({ name: "Q3 goals", room: "300" });
  expect(changeBody(form, block)).toEqual({});
  expect(changeBody({ ...form, name: "Goals", writers: "both", room: "400" }, block)).toEqual({
    label: "goals",
    writers: "both",
    maxTokens: 400,
  });
});
