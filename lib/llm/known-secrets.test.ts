import { describe, expect, it } from "vitest";
import { describeModelError } from "./describe-model-error";
import { hideKnownSecrets, knowSecret } from "./known-secrets";

const key = 'Zürich/42+"odd"=key';
knowSecret(key);

describe("A known key is removed", () => {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  it.each([
    ["as it is", key],
    ["in an address", encodeURIComponent(key)],
    ["in JSON", JSON.stringify({ key })],
    ["in base64", base64(key)],
    ["in a basic authorization", base64(`user:${key}`)],
    ["in base64 with something after", base64(`ab${key}, and more`)],
    ["in base64 for addresses", Buffer.from(key).toString("base64url")],
    ["in hexadecimal", Buffer.from(key).toString("hex")],
    ["in capitals", key.toUpperCase()],
  ])("%s", (_, text) => {
    const shown = hideKnownSecrets(`Wrong: ${text}.`);
    expect(shown).toContain("[hidden]");
    expect(shown.length).toBeLessThan(40);
  });

  it("from what a provider says of a failure", () => {
    const { message } = describeModelError(new Error(`No account has ${key} here`));
    expect(message).toContain("No account has [hidden] here");
  });
});

it("A short key hides no ordinary words", () => {
  knowSecret("key");
  expect(hideKnownSecrets("The key is wrong.")).toBe("The key is wrong.");
});
