import { describe, expect, test } from "vitest";
import { localOwnerId, ownerOf, testOwnerCookie } from "./owner-of";

const carrying = (cookie: string) => new Headers({ cookie });

describe("ownerOf", () => {
  test("gives every request to the local owner, whatever cookie it carries", () => {
    const headers = carrying(`${testOwnerCookie}=somebody-else`);
    expect(ownerOf(headers, { hasTestOwners: false })).toBe(localOwnerId);
  });

  test("takes the owner from the cookie of a browser test where that is on", () => {
    const headers = carrying(`theme=dark; ${testOwnerCookie}=story-1; other=x`);
    expect(ownerOf(headers, { hasTestOwners: true })).toBe("story-1");
  });

  test.each([
    "",
    "theme=dark",
    `x${testOwnerCookie}=a`,
    `${testOwnerCookie}=`,
    `${testOwnerCookie}=a b`,
  ])("falls back to the local owner for the cookie header “%s”", (cookie) => {
    expect(ownerOf(carrying(cookie), { hasTestOwners: true })).toBe(localOwnerId);
  });
});
