import { describe, expect, test } from "vitest";
import { localPersonId } from "@/lib/chat/core/person-in-space";
import { identityOf, testOwnerCookie } from "./owner-of";

const carrying = (cookie: string) => new Headers({ cookie });

async function ownerOf(headers: Headers, { hasTestOwners }: { hasTestOwners: boolean }) {
  return (await identityOf(headers, { accounts: null, hasTestOwners }))?.personId;
}

describe("identityOf without accounts", () => {
  test("gives every request to the local owner, whatever cookie it carries", async () => {
    const headers = carrying(`${testOwnerCookie}=somebody-else`);
    expect(await ownerOf(headers, { hasTestOwners: false })).toBe(localPersonId);
  });

  test("takes the owner from the cookie of a browser test where that is on", async () => {
    const headers = carrying(`theme=dark; ${testOwnerCookie}=story-1; other=x`);
    expect(await ownerOf(headers, { hasTestOwners: true })).toBe("story-1");
  });

  test.each([
    "",
    "theme=dark",
    `x${testOwnerCookie}=a`,
    `${testOwnerCookie}=`,
    `${testOwnerCookie}=a b`,
  ])("falls back to the local owner for the cookie header “%s”", async (cookie) => {
    expect(await ownerOf(carrying(cookie), { hasTestOwners: true })).toBe(localPersonId);
  });
});
