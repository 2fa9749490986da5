import { expect, test } from "vitest";
import { factOf } from "./demo-fact";

test.each([
  ["I drink oolong tea", "Drinks oolong tea", "you drink oolong tea"],
  ["I usually work from home", "Usually works from home", "you usually work from home"],
  [
    "I prefer short answers and metric units",
    "Prefers short answers and metric units",
    "you prefer short answers and metric units",
  ],
  ["I'm allergic to nuts", "Is allergic to nuts", "you are allergic to nuts"],
  ["I have two cats", "Has two cats", "you have two cats"],
  ["my dog is called Rex", "My dog is called Rex", "your dog is called Rex"],
  ["I moved to Berlin", "I moved to Berlin", "you moved to Berlin"],
  ["I like tea when I work", "I like tea when I work", "you like tea when you work"],
  ["the kettle is blue", "The kettle is blue", "the kettle is blue"],
  ["ich mag Tee", "Ich mag Tee", "ich mag Tee"],
])("of %j keeps %j and says %j", (sentence, line, toThem) => {
  expect(factOf(sentence)).toEqual({ line, toThem });
});
