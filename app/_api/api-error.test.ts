import { describe, expect, it } from "vitest";
import { ApiError, answerError, errorSentence, isPassing, offlineError } from "./api-error";

describe("answerError", () => {
  it("carries the code, sentence and field of Grove's own errors", () => {
    const error = answerError(400, {
      error: { code: "bad-request", message: "title must not be empty", field: "title" },
    });
    expect({ ...error, message: error.message }).toMatchObject({
      code: "bad-request",
      status: 400,
      field: "title",
      message: "title must not be empty",
    });
  });

  it("still says a sentence when the body is something else", () => {
    expect(answerError(502, "<html>").message).toBe(
      "Grove returned an error (502). Try again in a moment.",
    );
  });
});

describe("isPassing", () => {
  it("holds for a missing answer and an unavailable database, not for refusals", () => {
    expect(isPassing(offlineError(new TypeError("failed")))).toBe(true);
    expect(isPassing(new ApiError("gone", { code: "unavailable", status: 503 }))).toBe(true);
    expect(isPassing(new ApiError("no", { code: "not-found", status: 404 }))).toBe(false);
  });
});

describe("errorSentence", () => {
  it("never shows the inside of an unexpected error", () => {
    expect(errorSentence(new TypeError("x is undefined"))).toBe(
      "Something went wrong on this page. Reload it and try again.",
    );
  });
});
