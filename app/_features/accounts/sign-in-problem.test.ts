import { expect, test } from "vitest";
import { signInProblem } from "./sign-in-problem";

test.each([
  ["account_not_linked", /connect it in Settings/],
  ["access_denied", /was refused/],
  ["email_not_found", /did not say your e-mail/],
  ["invalid_code", /did not confirm who you are/],
  ["unable_to_get_user_info", /did not confirm who you are/],
  ["state_mismatch", /Start again/],
  ["state_not_found", /Start again/],
  ["unable_to_create_user", /You need an account here/],
])("%s is said in a sentence", (code, sentence) => {
  expect(signInProblem(code)).toMatch(sentence);
});

test.each(["<script>alert(1)</script>", "constructor", "__proto__", "state_<b>", ""])(
  "what an address says is not shown: %s",
  (code) => {
    expect(signInProblem(code)).toMatch(/^This sign-in did not work/);
  },
);
