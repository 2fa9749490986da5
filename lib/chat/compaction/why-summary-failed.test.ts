import { APICallError } from "ai";
import { expect, test } from "vitest";
import { SummaryError } from "@/lib/llm";
import { whySummaryFailed } from "./why-summary-failed";

function failed(statusCode: number, message: string): SummaryError {
  const cause = new APICallError({ message, url: "", requestBodyValues: {}, statusCode });
  return new SummaryError("failed", { cause });
}

test.each([
  ["the length", failed(400, "prompt is too long"), /don't fit in the model's context window/],
  [
    "the provider's key",
    failed(401, "Invalid key"),
    /rejected the API key.*It said: “Status 401: Invalid key”/,
  ],
  ["the provider", failed(529, "Overloaded"), /provider is overloaded/],
  [
    "the network",
    new SummaryError("failed", { cause: new Error("connect ECONNREFUSED") }),
    /Couldn't reach the model server/,
  ],
  [
    "a lost connection",
    new SummaryError("failed", { cause: new TypeError("terminated") }),
    /connection to the provider was lost/,
  ],
  ["the model", new SummaryError("blank"), /The model answered with an empty summary/],
])("a failed summary names %s", (_, error, sentence) => {
  expect(whySummaryFailed(error)).toMatch(sentence);
});

test("a failed summary never claims that a part of it was kept, or asks for a summary", () => {
  for (const cause of [new TypeError("terminated"), "prompt is too long"]) {
    const why = whySummaryFailed(new SummaryError("failed", { cause }));
    expect(why).not.toMatch(/kept|Compact/);
  }
});
